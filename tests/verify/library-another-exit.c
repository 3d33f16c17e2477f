// args: --error-function exit
// verdict: violated
// A function that must not be called is meant by its name, whatever its type is.
void exit(const char *why, int code);
int main(int argc, char **argv) {
    if (argc > 1)
        exit("more", 1);
    return 0;
}
