# The first account needs a password that somebody sees: bin/rails testmaster:first_account makes it. This machine is there from the start.
