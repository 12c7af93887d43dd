# The pages render errors themselves, so Rails must not wrap invalid fields.
ActionView::Base.field_error_proc = ->(html, _instance) { html }
