/* Linked lists. */
#ifndef BOOLERO_LIST_H
#define BOOLERO_LIST_H
#include <linux/types.h>
#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
static inline void INIT_LIST_HEAD(struct list_head *list) { list->next = list; list->prev = list; }
static inline void boolero_list_insert(struct list_head *entry, struct list_head *prev, struct list_head *next) { next->prev = entry; entry->next = next; entry->prev = prev; prev->next = entry; }
static inline void list_add(struct list_head *entry, struct list_head *head) { boolero_list_insert(entry, head, head->next); }
static inline void list_add_tail(struct list_head *entry, struct list_head *head) { boolero_list_insert(entry, head->prev, head); }
static inline void boolero_list_remove(struct list_head *entry) { entry->next->prev = entry->prev; entry->prev->next = entry->next; }
static inline void list_del(struct list_head *entry) { boolero_list_remove(entry); entry->next = (void *)0; entry->prev = (void *)0; }
static inline void list_del_init(struct list_head *entry) { boolero_list_remove(entry); INIT_LIST_HEAD(entry); }
static inline void list_move(struct list_head *entry, struct list_head *head) { boolero_list_remove(entry); list_add(entry, head); }
static inline void list_move_tail(struct list_head *entry, struct list_head *head) { boolero_list_remove(entry); list_add_tail(entry, head); }
static inline int list_empty(const struct list_head *head) { return head->next == head; }
#define list_empty_careful list_empty
static inline int list_is_last(const struct list_head *entry, const struct list_head *head) { return entry->next == head; }
static inline int list_is_singular(const struct list_head *head) { return head->next != head && head->next == head->prev; }
static inline void list_splice(struct list_head *list, struct list_head *head) { if (!list_empty(list)) { list->next->prev = head; list->prev->next = head->next; head->next->prev = list->prev; head->next = list->next; } }
static inline void list_splice_tail(struct list_head *list, struct list_head *head) { if (!list_empty(list)) { list->next->prev = head->prev; head->prev->next = list->next; list->prev->next = head; head->prev = list->prev; } }
static inline void list_splice_init(struct list_head *list, struct list_head *head) { list_splice(list, head); INIT_LIST_HEAD(list); }
static inline void list_splice_tail_init(struct list_head *list, struct list_head *head) { list_splice_tail(list, head); INIT_LIST_HEAD(list); }
#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member) (list_empty(head) ? (type *)0 : list_first_entry(head, type, member))
#define list_next_entry(pos, member) list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_prev_entry(pos, member) list_entry((pos)->member.prev, __typeof__(*(pos)), member)
#define list_for_each(pos, head) for ((pos) = (head)->next; (pos) != (head); (pos) = (pos)->next)
#define list_for_each_safe(pos, n, head) for ((pos) = (head)->next, (n) = (pos)->next; (pos) != (head); (pos) = (n), (n) = (pos)->next)
#define list_for_each_entry(pos, head, member) for ((pos) = list_first_entry(head, __typeof__(*(pos)), member); &(pos)->member != (head); (pos) = list_next_entry(pos, member))
#define list_for_each_entry_reverse(pos, head, member) for ((pos) = list_last_entry(head, __typeof__(*(pos)), member); &(pos)->member != (head); (pos) = list_prev_entry(pos, member))
#define list_for_each_entry_continue(pos, head, member) for ((pos) = list_next_entry(pos, member); &(pos)->member != (head); (pos) = list_next_entry(pos, member))
#define list_for_each_entry_continue_reverse(pos, head, member) for ((pos) = list_prev_entry(pos, member); &(pos)->member != (head); (pos) = list_prev_entry(pos, member))
#define list_for_each_entry_safe(pos, n, head, member) for ((pos) = list_first_entry(head, __typeof__(*(pos)), member), (n) = list_next_entry(pos, member); &(pos)->member != (head); (pos) = (n), (n) = list_next_entry(n, member))
#define list_for_each_entry_safe_reverse(pos, n, head, member) for ((pos) = list_last_entry(head, __typeof__(*(pos)), member), (n) = list_prev_entry(pos, member); &(pos)->member != (head); (pos) = (n), (n) = list_prev_entry(n, member))
#define list_for_each_entry_rcu(pos, head, member, ...) list_for_each_entry(pos, head, member)
#define list_add_rcu list_add
#define list_add_tail_rcu list_add_tail
#define list_del_rcu list_del
#define HLIST_HEAD_INIT { (void *)0 }
#define HLIST_HEAD(name) struct hlist_head name = HLIST_HEAD_INIT
#define INIT_HLIST_HEAD(head) ((head)->first = (void *)0)
void list_sort(void *priv, struct list_head *head, int (*compare)());
#endif
