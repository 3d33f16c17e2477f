// exit: 1
// stderr: there is no function `reach_eror`
// args: --error-function reach_eror
// A misspelt name would be reached by no run.
extern void reach_error(void);
int main(void) {
    reach_error();
    return 0;
}
