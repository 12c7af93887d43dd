# Errors are shown by the pages themselves: nothing is wrapped around a field that has one.
ActionView::Base.field_error_proc = ->(html, _instance) { html }
