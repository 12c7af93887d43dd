Mime::Type.register_alias "text/html", :report # a page in one file, to be stored or sent
