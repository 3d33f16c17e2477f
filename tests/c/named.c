// `reach_error` is a function like any other if another one is named.
void reach_error(void) {}
void named(void);

int main(int count, char **arguments) {
  reach_error();
  if (count == 1)
    named();
}
