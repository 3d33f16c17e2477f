// Nothing here can be violated, whatever the unknown function does; `fails` is mentioned.
void reach_error(void) {}
void unknown(void (*)(void));
void fails(void) { reach_error(); }

int main(int count, char **arguments) { unknown(fails); }
