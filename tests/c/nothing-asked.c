// Nothing here can be violated, whatever the unknown function does; `fails` is nowhere mentioned.
void reach_error(void) {}
void unknown(int);
void fails(void) { reach_error(); }

int main(int count, char **arguments) { unknown(count); }
