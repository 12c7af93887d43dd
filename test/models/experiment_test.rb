require "test_helper"

class ExperimentTest < ActiveSupport::TestCase
  BASE = { "name" => "Workers and clients", "duration" => "20s", "warmup" => "2s",
    "brokers" => [ { "scenario" => "Broker", "settings" => { "workers" => "2" } } ],
    "clients" => [ { "scenario" => "OneWayClient", "clients" => 4, "settings" => { "rate" => "100/s" } } ] }
  WORKERS = { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 2, 4 ] }
  CLIENTS = { "name" => "clients", "path" => "clients.0.clients", "levels" => [ 5, 10 ] }

  test "exports what was written, and makes its runs of it" do
    wanted = { "design" => "2k", "factors" => [ WORKERS, CLIENTS.merge("unit" => "clients") ], "repetitions" => 3,
      "order" => "listed", "seed" => 7, "again" => 1, "start" => "fresh", "response" => "p99" }
    experiment = experiment(**wanted)
    assert experiment.save, experiment.errors.full_messages.to_sentence

    again = Experiment.from_definition(Experiment.find(experiment.id).to_definition.to_yaml)
    assert_equal wanted, again.to_definition["experiment"]
    assert_equal BASE, again.to_definition.except("experiment")
    assert_equal [ [ 2, 5 ], [ 2, 10 ], [ 4, 5 ], [ 4, 10 ] ], experiment.points.map { |point|
 point.levels.values_at("workers", "clients") }
    assert_equal 12, experiment.runs_planned
    assert_equal "2^2 design, 3 repetitions, in the order listed", experiment.summary

    run = experiment.run_at(experiment.points.last.levels, "point 4, 1st")
    assert_predicate run, :valid?, run.errors.full_messages.to_sentence
    assert_equal [ "4", 10 ], [ run.broker_groups.first.settings["workers"], run.client_groups.first.client_count ]
    assert_equal "Workers and clients, point 4, 1st", run.name
  end

  test "a rate that the first phase of the load replaces is no factor" do
    rate = { "factors" => [ { "name" => "rate", "path" => "clients.0.settings.rate",
      "levels" => [ "10/s", "20/s" ] } ] }
    { "90/s" => false, nil => true }.each do |first, valid|
      phases = [ { "for" => "5s", "rate" => first }.compact, { "for" => "5s", "rate" => "50/s" } ]
      [ rate, { "find" => { "rate" => "10/s..90/s", "until" => [ "errors = 0" ], "by" => "runs" } } ].each do |words|
        found = Experiment.from_definition(BASE.except("duration").merge("load" => phases, "experiment" => words))
        found.creator = users(:experimenter)

        assert_equal valid, found.valid?, found.errors.full_messages.to_sentence
        assert_match(/changes only the warm-up/, found.errors.full_messages.sole) unless valid
      end
    end
  end

  test "shows an address without its password and keeps it" do
    base = BASE.merge("database" => "postgresql://ada:sesame@db.example.org/x", "experiment" => { "factors" => [
      WORKERS ] })
    draft = Experiment.from_definition(base).tap { |it| it.creator = users(:experimenter) }
    draft.save!
    draft = Experiment.find(draft.id)
    assert_no_match "sesame", draft.to_definition.to_json + draft.to_json + draft.inspect
    draft.update! definition: draft.to_definition
    assert_equal base["database"], draft.reload.run_at({}).database
    draft.update! definition: draft.to_definition.merge("database" => "embedded")
    assert_equal "embedded", draft.reload.run_at({}).database
  end

  test "the seed orders the points of each repetition" do
    first, second = Array.new(2) { experiment("seed" => 7, "repetitions" => 2).table_of_runs }
    assert_equal first, second
    assert_not_equal first, experiment("seed" => 8, "repetitions" => 2).table_of_runs
    assert_equal [ [ 1, 2, 3, 4 ] ] * 2, first.each_slice(4).map { |round| round.map(&:first).sort }
    assert_equal [ 1, 1, 1, 1, 2, 2, 2, 2 ], first.map(&:second)
  end

  test "supports one-factor, fractional and listed designs" do
    three = CLIENTS.merge("levels" => [ 5, 10, 20 ])
    assert_equal [ [ 2, 5 ], [ 4, 5 ], [ 2, 10 ], [ 2, 20 ] ],
      experiment("design" => "one-factor", "factors" => [ WORKERS, three ]).planned_points.map(&:values)
    assert_equal 6, experiment("factors" => [ WORKERS, three ]).runs_planned

    listed = [ { "workers" => 2, "clients" => 10 }, { "workers" => 4, "clients" => 5 } ]
    assert_equal listed, experiment("design" => "points", "points" => listed).planned_points

    # Jain 1991, section 19.2: a 2^(4-1) design with D = ABC has resolution IV and confounds AB with CD.
    letters = %w[ workers db.connections io.threads batch.max ].map do |name|
      { "name" => name, "path" => "brokers.0.settings.#{name}", "levels" => [ 2, 4 ] }
    end
    fraction = experiment("design" => "2k-p", "factors" => letters, "generators" => [ "d=abc" ])
    signs = fraction.planned_points.map { |point| point.values.map { |level| level == 4 ? 1 : -1 } }
    assert_equal 8, signs.size
    assert(signs.all? { |a, b, c, d| d == a * b * c })
    assert_equal 4, fraction.planned_design.resolution
    assert_includes fraction.confounded, %w[ ab cd ]
    assert_includes fraction.confounded, %w[ a bcd ]
  end

  test "each design has its points and its analysis" do
    factors = [ WORKERS, CLIENTS ].map { |words| Experiment::Factor.new(name: words["name"], levels: words["levels"]) }
    Experiment::Design.all.each do |word, design|
      assert_includes %w[ anova effects none ], design.analysis, word
      made = design.new(factors, generators: [ "b=a" ], points: [ { WORKERS["name"] => 2 } ])
      assert_equal [ made.points.size, word ], [ made.size, made.word ]
    end
    assert_raises(KeyError) { Experiment::Design.named("latin-square", factors) }
  end

  test "an impossible experiment is refused with the reason" do
    {
      { "factors" => [ WORKERS.merge("path" => "brokers.0.settings.wrokers") ] } =>
        /path brokers.0.settings.wrokers is not in the definition; did you mean brokers.0.settings.workers\?/,
      { "factors" => [ WORKERS.merge("path" => "brokers.3.jvms") ] } =>
        /is not in the definition; did you mean brokers.0.jvms/,
      { "factors" => [ WORKERS.merge("levels" => [ 4, 100_000 ]) ] } =>
        /Factor workers: levels: 100000 does not fit brokers.0.settings.workers: .*must be from 0 threads to 512/,
      { "factors" => [ CLIENTS.merge("levels" => [ "few", "many" ]) ] } => /Factor clients: levels: few does not fit/,
      { "factors" => [ WORKERS, WORKERS.merge("name" => "threads") ] } =>
        /factors workers and threads contradict each other: both set brokers.0.settings.workers/,
      { "factors" => [ WORKERS, WORKERS ] } => /workers is there 2 times/,
      { "factors" => [ WORKERS.merge("levels" => [ 4 ]) ] } => /at least two/,
      { "factors" => [ WORKERS.merge("levels" => [ 4, 4 ]) ] } => /a value twice/,
      { "factors" => [] } => /needs at least one factor/, { "factors" => 5 } => /factors must be a list/,
      { "design" => "2k", "factors" => [ WORKERS.merge("levels" => [ 1, 2, 4 ]) ] } => /must be two in a 2k design/,
      { "design" => "2k", "factors" => [ WORKERS.merge("name" => "a"), CLIENTS.merge("name" => "b"),
        { "name" => "ab", "path" => "warmup", "levels" => [ "1s", "2s" ] } ] } => /two effects would have the name ab/,
      { "design" => "2k-p" } => /generators must be/, { "generators" => [ "c=ab" ] } => /belong to a 2k-p design/,
      { "design" => "2k-p", "generators" => [ "e=ab" ] } => /names a factor that is not there; they are a, b/,
      { "design" => "points", "points" => [ { "workers" => 3, "clients" => 5 } ] } => /workers has no level 3/,
      { "factors" => [ WORKERS.merge("levels" => (1..200).to_a), CLIENTS.merge("levels" => (1..6).to_a) ] } =>
        /1200 runs are planned \(1200 points\), and 1000 are allowed/,
      { "repetitions" => 0 } => /repetitions must be/,
      { "repetitions" => { "until" => "soon" } } => /repetitions.until/,
      { "order" => "backwards" } => /order must be one of random, listed/,
      { "desing" => "2k" } => /did you mean "design"/,
      { "start" => "refilled" } => /start is refilled, but database_settings.fill/
    }.each do |words, complaint|
      refused = experiment(**words)
      assert_not refused.launch
      assert_match complaint, refused.errors.full_messages.to_sentence
    end
    assert_match "duration", Experiment.from_definition(BASE.merge("duration" => "x", "experiment" => { "factors" => [
      WORKERS ] })).tap(&:validate).errors.full_messages.to_sentence.downcase
    assert_match "experiment must be pairs", Experiment.from_definition(BASE).tap(&:validate).errors.full_messages.first
    long = Experiment.from_definition(BASE.merge("duration" => "24h", "experiment" => { "repetitions" => 20,
      "factors" => [ WORKERS ] }))
    assert_not long.launch
    assert_match(/would take about 40.0 days \(40 runs\), and may take 14/, long.errors.full_messages.to_sentence)
    assert_equal 0, Experiment.count + Experiment::Point.count
  end

  test "estimates its time without building every run" do
    many = experiment("factors" => [ WORKERS.merge("levels" => (1..40).to_a), CLIENTS.merge("levels" => (1..10).to_a),
      { "name" => "length", "path" => "duration", "levels" => %w[ 20s 40s ] } ])
    made = 0
    counted = Module.new { define_method(:run_at) { |*args| (made += 1) && super(*args) } }
    many.singleton_class.prepend counted

    around = many.provider.usual_set_up_time&.+(4) || Experiment::Planned::AROUND
    assert_equal [ 800, 400 * (20 + 40 + 2 * around) ], [ many.runs_planned, many.estimated_time ]
    assert_empty many.objections
    assert_equal 2, made
  end

  test "scale shrinks clients and times but keeps ratios" do
    definition = BASE.merge("scale" => "0.1", "duration" => "10min", "warmup" => "1min", "experiment" => {
      "factors" => [ CLIENTS.merge("levels" => [ 8, 16 ]), WORKERS.merge("name" => "steps",
        "path" => "clients.0.settings.rate", "levels" => %w[ 10/s 20/s ]) ] })
    scaled = Experiment.from_definition(definition)
    assert_predicate scaled, :valid?, scaled.errors.full_messages.to_sentence
    assert_equal %w[ 79s 25s c1 ], scaled.base_definition.values_at("duration", "warmup", "jit_compiler"),
      "the minimum that JVMs need to be steady"
    assert_equal [ [ 2, "10/s" ], [ 2, "20/s" ], [ 4, "10/s" ], [ 4, "20/s" ] ],
      scaled.planned_points.map { |levels| scaled.run_at(levels).client_groups.first }
        .map { |group| [ group.client_count, group.settings["rate"] ] }
    assert_match "scale must be", Experiment.from_definition(definition.merge("scale" => "tiny"))
      .tap(&:validate).errors.full_messages.first
  end

  test "phases and ramps of a rate shrink with the duration" do
    { "100/s for 1min, 800/s for 10s, 100/s" => "100/s for 6s, 800/s for 1s, 100/s",
      "100/s to 200/s over 5s" => "100/s to 200/s over 500ms", "7/h" => "7/h" }.each do |rate, scaled|
      definition = BASE.deep_merge("scale" => "0.1", "clients" => BASE["clients"].map { |group|
        group.merge("settings" => { "rate" => rate }) })
      assert_equal scaled, TestRun.from_definition(definition).client_groups.first.settings["rate"]
    end
  end

  test "levels that count clients follow the scale" do
    { [ 8, 16 ] => [ 2, 4 ], [ 1, 2 ] => [ 0.25, 0.5 ], [ 1, 16 ] => [ 1, 16 ],
      %w[ few many ] => %w[ few many ] }.each do |named, told|
      scaled = Experiment.from_definition(BASE.merge("scale" => "0.1", "experiment" => { "factors" => [
        { "name" => "clients", "levels" => named, "paths" => { "clients.0.clients" => [ 8, 16 ] } } ] }))
      assert_predicate scaled, :valid?, scaled.errors.full_messages.to_sentence
      assert_equal told, scaled.planned_points.map { |it| it["clients"] }
      assert_equal [ 2, 4 ], scaled.planned_points.map { |it| scaled.run_at(it).client_groups.first.client_count }
    end
  end

  test "names confounded effects as the log analyzer does" do
    YAML.load_file(Rails.root.join("vocabulary/designs.yml"))["cases"].each do |row|
      factors = ("a".."h").first(row["factors"]).map { |name| Experiment::Factor.new(name: name, levels: [ 1, 2 ]) }
      fraction = Experiment::Design.named("2k-p", factors, generators: row["generators"])

      if row["error"]
        assert_match row["error"], fraction.complaints.sole
      else
        assert_empty fraction.complaints
        assert_equal row["confounded"].map(&:sort).sort, fraction.confounded.map(&:sort).sort, row["generators"]
      end
    end
  end

  test "every design class has a word" do
    files = Rails.root.glob("testmaster/models/experiment/design/*.rb")
    classes = files.map { |file| file.basename(".rb").to_s.camelize }
    assert_equal classes.sort, Experiment::Design.all.values.map { |design| design.name.demodulize }.sort
  end

  private
    def experiment(words = {}, **more)
      Experiment.from_definition(BASE.deep_dup.merge("experiment" =>
        { "factors" => [ WORKERS, CLIENTS ] }.merge(words.stringify_keys, more.stringify_keys))).tap do |it|
        it.creator = users(:experimenter)
      end
    end
end
