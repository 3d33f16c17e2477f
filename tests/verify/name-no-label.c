// exit: 1
// stderr: there is no label `EROR`
// args: --error-label EROR
// So would a misspelt label.
int main(void) {
    goto ERROR;
ERROR:
    return 1;
}
