pin "application"
pin "confirm"
pin "figures"
pin "drawing"
pin "@hotwired/turbo-rails", to: "turbo.min.js"
pin "@hotwired/stimulus", to: "stimulus.min.js"
pin "@hotwired/stimulus-loading", to: "stimulus-loading.js"
pin "uplot", preload: false # vendor/javascript/uplot.js is an unchanged copy of uPlot 1.6.32 from npm (MIT)
pin_all_from "testmaster/javascript/controllers", under: "controllers"
