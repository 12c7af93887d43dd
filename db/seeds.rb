# bin/rails testmaster:first_account creates the first account, as a person must read its password.
Provider::Local.default
