/* Strings: the usual functions of C, which Boolero knows, and those that only the kernel has. */
#ifndef BOOLERO_STRING_H
#define BOOLERO_STRING_H
#include <linux/types.h>
#include <stdarg.h>
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int value, size_t count);
int memcmp(const void *a, const void *b, size_t count);
void *memchr(const void *a, int value, size_t count);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t count);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t count);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t count);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t count);
char *strchr(const char *text, int letter);
char *strrchr(const char *text, int letter);
char *strstr(const char *text, const char *part);
char *strpbrk(const char *text, const char *set);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int scnprintf(char *to, size_t size, const char *format, ...);
int vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int sscanf(const char *text, const char *format, ...);
size_t strlcpy(char *to, const char *from, size_t size);
ssize_t strscpy(char *to, const char *from, size_t size);
#define strscpy_pad strscpy
size_t strlcat(char *to, const char *from, size_t size);
char *strim(char *text);
char *strstrip(char *text);
char *skip_spaces(const char *text);
char *strsep(char **text, const char *set);
bool sysfs_streq(const char *a, const char *b);
int match_string(const char *const *array, size_t count, const char *text);
int sysfs_match_string_(const char *const *array, size_t count, const char *text);
#define sysfs_match_string(array, text) sysfs_match_string_(array, sizeof(array) / sizeof((array)[0]), text)
bool strstarts(const char *text, const char *prefix);
void *memchr_inv(const void *start, int value, size_t count);
void memzero_explicit(void *start, size_t count);
void *memscan(void *start, int value, size_t count);
int isspace(int c);
int isdigit(int c);
int isxdigit(int c);
int isalnum(int c);
int isalpha(int c);
int isprint(int c);
int toupper(int c);
int tolower(int c);
#endif
