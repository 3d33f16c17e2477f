// verdict: violated
// without random runs: violated
// args: --undefined-functions pure
// First a byte of it, then the word around it.
extern void reach_error(void);
union reg { unsigned word; unsigned char low; };
extern union reg *map_register(void);

int main(void) {
    union reg *r = map_register();
    if (!r) return 0;
    if (r->low != 0x12) return 0;
    if (r->word == 0x99000012u) reach_error();
    return 0;
}
