# The first account needs somebody who reads its password: bin/rails testmaster:first_account makes it.
Provider::Local.default
