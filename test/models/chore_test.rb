require "test_helper"
require "minitest/mock"
require "sidekiq/api"

# Each chore deletes what is older than its limit and keeps everything else.
class ChoreTest < ActiveSupport::TestCase
  self.fixture_table_names = fixture_table_names

  setup do
    @folder = Pathname(Dir.mktmpdir)
    @roots = Rails.configuration.x.run_root, Rails.configuration.x.build_root
    Rails.configuration.x.run_root, Rails.configuration.x.build_root = @folder.join("runs"), @folder.join("builds")
    Chore::Logs.home = @folder
  end

  teardown do
    Rails.configuration.x.run_root, Rails.configuration.x.build_root = @roots
    Chore::Logs.home = Rails.root
    FileUtils.rm_rf @folder
  end

  test "an old run loses its samples but keeps its charts" do
    run = ended_run(days_ago: 91, duration: 960)
    before = Outcome::Series.new(run).as_json
    assert_equal 4, before["step"]
    assert_operator lines_of(Outcome::Series.new(run, from: "0", to: "60").as_json)["rate"].compact.size, :>, 15

    perform Chore::Figures
    run = TestRun.find(run.id)

    assert_equal [ 0, [ 4 ] ], [ run.samples.count, run.readings.reorder(nil).distinct.pluck(:length) ]
    assert_equal lines_of(before), lines_of(Outcome::Series.new(run).as_json)
    part = Outcome::Series.new(run, from: "0", to: "60").as_json
    assert_equal 4, part["step"]
    assert_equal [ 15, 15 ], lines_of(part).values_at("rate", "user").map { |line| line.compact.size }
    assert_raises(Outcome::Series::Refused) { Outcome::Series.new(run, from: "0", to: "60", step: "1") }
    assert_predicate run, :thinned?
    assert_equal [ 0, 0 ], [ perform(Chore::Figures).removed, run.duplicate.thinned_at.to_i ]
  end

  test "figures of recent runs stay" do
    recent = ended_run(days_ago: 89, duration: 960)

    assert_no_difference(-> { [ Sample.count, TestRun::Reading.count ].sum }) { perform Chore::Figures }
    assert_nil recent.reload.thinned_at
  end

  test "an interrupted deletion of samples continues later" do
    run = ended_run(days_ago: 91, duration: 960)
    chore = Chore::Figures.create!
    chore.define_singleton_method(:delete_batch) do |rows|
      rows.where(id: rows.limit(10)).delete_all
      raise Interrupt
    end
    assert_raises(Interrupt) { chore.perform }

    run = TestRun.find(run.id)
    assert_operator run.samples.count, :>, 0
    assert_equal 15, lines_of(Outcome::Series.new(run, from: "0", to: "60").as_json)["rate"].compact.size
    Chore::Figures.first.perform
    assert_equal 0, run.samples.count
  end

  test "rows that are locked are skipped" do
    old = AuditEntry.create!(who: "ada", action: "launched", created_at: 3.years.ago)
    held = AuditEntry.create!(who: "ada", action: "held", created_at: 3.years.ago)
    chore = Chore::Audit.new
    asked = []
    subscriber = ActiveSupport::Notifications.subscribe("sql.active_record") { |event| asked << event.payload[:sql] }
    chore.save!
    chore.perform

    assert_not AuditEntry.exists?(id: [ old, held ])
    locking = asked.select { |sql| sql.include?("FOR UPDATE") && sql.include?("audit_entries") }
    assert locking.any? && locking.all? { |sql| sql.include?("SKIP LOCKED") && sql.include?("LIMIT") }, locking.join
    assert asked.include?(Chore::Batched::LIMITS)
  ensure
    ActiveSupport::Notifications.unsubscribe subscriber if subscriber
  end

  test "records are deleted at the age that their kind has" do
    user = users(:administrator)
    AuditEntry.create! who: "old", action: "launched", created_at: 731.days.ago
    AuditEntry.create! who: "new", action: "launched", created_at: 729.days.ago
    Session.create! user: user, user_agent: "old", created_at: 61.days.ago
    Session.create! user: user, user_agent: "new", created_at: 59.days.ago
    { "old" => 31, "new" => 29 }.each do |name, days|
      ApiToken.create!(user: user, name: name).update_columns expires_at: days.days.ago
      Invitation.create! email_address: "#{name}@example.com", role: "viewer", inviter: user,
        updated_at: (days + 7).days.ago
    end
    webhook = Webhook.create!(user: user, url: "https://example.org/x")
    [ [ "delivered", 91 ], [ "pending", 91 ], [ "given_up", 89 ] ].each do |state, days|
      webhook.deliveries.create! body: "{}", state: state, updated_at: days.days.ago
    end
    UnsavedDefinition.create! user: user, fields: "{}", updated_at: 91.days.ago
    UnsavedDefinition.create! user: users(:experimenter), fields: "{}", updated_at: 89.days.ago

    [ Chore::Audit, Chore::SignIns, Chore::Deliveries, Chore::Forms ].each { |kind| perform kind }

    assert_equal [ "new" ], AuditEntry.pluck(:who)
    assert_equal [ "new" ], Session.pluck(:user_agent)
    assert_equal [ "new" ], ApiToken.where(user: user).pluck(:name)
    assert_equal [ "new@example.com" ], Invitation.pluck(:email_address)
    assert_equal %w[ given_up pending ], webhook.deliveries.pluck(:state).sort
    assert_equal [ users(:experimenter) ], UnsavedDefinition.all.map(&:user)
  end

  test "a chore without a limit deletes nothing" do
    Chore::Audit.create!.update! kept_days: nil
    AuditEntry.create! who: "old", action: "launched", created_at: 20.years.ago

    assert_no_difference(-> { AuditEntry.count }) { perform Chore::Audit }
    assert_operator Chore::Audit.first.bytes, :>, 0
  end

  test "an unused jar is deleted, a needed one stays" do
    trees = %w[ old recent locked wanted ].index_with { |name| build_in(name) }
    age trees.except("recent").values.map { |build| folder_of(build) }
    test_runs(:running).update_columns build_id: trees["wanted"].id
    Build.update_all updated_at: 40.days.ago
    mirror = @folder.join("builds/repositories/0123").tap(&:mkpath)
    mirror.join("FETCH_HEAD").write "x"
    age [ mirror, mirror.join("FETCH_HEAD") ]

    folder_of(trees["locked"]).join(".lock").open do |lock|
      lock.flock File::LOCK_EX
      chore = perform(Chore::BuildJars)
      assert_nil chore.error
    end

    assert_equal %w[ locked recent wanted ], %w[ old recent locked wanted ].select { |name| folder_of(trees[name])
      .join("mlmq.jar").exist? }.sort
    assert_not_predicate mirror, :exist?
    assert Build.exists?(trees["wanted"].id)
    assert_not Build.exists?(trees["old"].id)
  end

  test "an old spool without a zip is deleted" do
    lost, at_work, recent = test_runs(:failed), test_runs(:running), test_runs(:finished)
    [ lost, at_work, recent ].each { |run| run.spool.tap(&:mkpath).join("a.gz").write "logs" }
    lost.update_columns advice: "There is no zip of this run. What was collected stays in #{lost.spool}"
    of_nobody = @folder.join("runs/run_987654321/local").tap(&:mkpath)
    of_killed, *of_somebody = %w[ testmaster-20260101-123-1x2y3z testmaster-1 other-1 ]
      .map { |name| @folder.join("tmp", name).tap(&:mkpath) }
    of_somebody.push(*%w[ testmaster-2026-11-24.tar test_run_42.zip ]
      .map { |name| @folder.join("tmp", name).tap { |file| file.write "a backup, a zip that somebody has fetched" } })
    zip_of_killed = @folder.join("tmp/test_run20260101-123-1x2y3z.zip").tap { |file| file.write "half a zip" }
    age [ of_nobody, of_nobody.dirname, of_killed, zip_of_killed, *of_somebody,
      *[ lost, at_work ].flat_map { |run| Pathname.glob("#{run.spool.dirname}{,/**/*}") } ]

    Dir.stub(:tmpdir, @folder.join("tmp").to_s) do
      assert_equal [ 4, nil ], perform(Chore::Spools).then { |chore| [ chore.removed, chore.error ] }
    end

    assert_equal [ false, true, true, false, false, false ],
      [ lost.spool, at_work.spool, recent.spool, of_nobody, of_killed, zip_of_killed ].map(&:exist?)
    assert_empty of_somebody.reject(&:exist?)
    assert_match(/was deleted after 30 days/, lost.events.find_by!(name: "spool_deleted").message)
    assert_match(/deleted after 30 days/, lost.reload.advice)
  end

  test "a failed chore stops no other and runs again" do
    AuditEntry.create! who: "old", action: "launched", created_at: 3.years.ago
    failing_at_first(Chore::Figures) { Housekeeping.perform }

    assert_equal "Permission denied - /somewhere: let the account of the worker write there",
      Chore::Figures.first.error
    assert_not AuditEntry.exists?(who: "old")
    assert Chore.where.not(type: "Chore::Figures").all? { |chore| chore.performed_at && chore.error.nil? },
      Chore.pluck(:type, :performed_at, :error).inspect
    Housekeeping.perform
    assert_nil Chore::Figures.first.error
  end

  test "a chore runs once a day unless due earlier" do
    Chore.all_made.each { |chore| chore.update! performed_at: 2.hours.ago }
    Chore::Audit.first.update! unfinished: true
    Housekeeping.perform

    assert_equal [ "Chore::Audit" ], Chore.where(performed_at: 1.minute.ago..).pluck(:type)
    Housekeeping.request
    assert Chore.all.all?(&:due?)
    Housekeeping.perform
    assert_equal Chore::KINDS.size, Chore.where(performed_at: 1.minute.ago..).count
  end

  test "a chore out of time continues later" do
    AuditEntry.insert_all! Array.new(Chore::Batched::BATCH + 5) {
      { who: "old", action: "launched", created_at: 3.years.ago } }
    chore = Chore::Audit.create!
    chore.define_singleton_method(:out_of_time?) { @out_of_time = true }
    chore.perform

    assert_equal [ 5, true, Chore::Batched::BATCH ], [ AuditEntry.count, chore.reload.unfinished?, chore.removed ]
    assert_predicate chore, :due?
    Chore::Audit.first.perform
    assert_equal [ 0, false ], [ AuditEntry.count, chore.reload.unfinished? ]
  end

  test "logs rotate while they are written, and expire" do
    log, small, server = %w[ log/production.log log/demo/web.log var/services/postgresql/server.log ]
      .map { |path| @folder.join(path).tap { |file| file.dirname.mkpath } }
    small.write "a line\n"
    server.write "x" * 2.megabytes
    old = @folder.join("log/production.log.20200101000000.gz").tap { |file| file.write "old" }
    old_of_rails = @folder.join("log/production.log.0").tap { |file| file.write "old" }
    age [ old, old_of_rails ]

    log.open("a") do |writer|
      writer.sync = true
      writer.write "a line\n" * 200_000
      chore = perform(Chore::Logs)
      assert_equal [ 4, nil ], [ chore.removed, chore.error ]
      assert_operator chore.freed, :>, 3.megabytes
      writer.write "the next line\n"
    end

    assert_equal "the next line\n", log.read
    assert_equal "a line\n" * 200_000, Zlib.gunzip(@folder.glob("log/production.log.*.gz").sole.binread)
    assert_equal [ "a line\n", 0, 1 ], [ small.read, server.size, server.dirname.glob("server.log.*.gz").size ]
    assert_not old.exist? || old_of_rails.exist?
    assert_equal 0, perform(Chore::Logs).removed
  end

  test "a kept database is dropped after its time" do
    run, younger = test_runs(:finished), test_runs(:failed)
    [ [ run, 91 ], [ younger, 89 ] ].each do |each, days|
      redefine each, keep_database: true
      each.update_columns ended_at: days.days.ago
      %w[ database_begun database_created ].each { |name| each.record_event name, "made" }
      each.run_database.prepare
    end
    assert_predicate TestRun.find(run.id).run_database, :lives?

    assert_equal [ 1, nil ], perform(Chore::KeptDatabases).then { |chore| [ chore.removed, chore.error ] }
    assert_equal [ false, true ], [ run, younger ].map { |each| database?(each.run_database.name) }
    assert_equal [ false, true ], [ run, younger ].map { |each| TestRun.find(each.id).run_database.lives? }
    assert_match "kept for 90 days", run.events.find_by!(name: "database_dropped").message
    assert_equal [ younger ], TestRun.with_database.where(id: [ run, younger ])
    assert_operator Chore::KeptDatabases.first.bytes, :>, 1.megabyte
  ensure
    [ run, younger ].each { |each| each.run_database.drop }
  end

  test "an old database of a deleted run is dropped" do
    gone, fresh = [ 91, 1 ].map { |days| TestRun.new(created_at: days.days.ago) { |it| it.id = 987_654_000 + days } }
    [ gone, fresh ].each { |run| run.run_database.prepare }
    assert_equal 1, perform(Chore::KeptDatabases).removed
    assert_equal [ false, true ], [ gone, fresh ].map { |run| database?(run.run_database.name) }
  ensure
    [ gone, fresh ].each { |run| run.run_database.drop }
  end

  test "old dead jobs are deleted" do
    dead = Sidekiq::DeadSet.new
    dead.clear
    Sidekiq.redis do |redis|
      [ [ 31, "old" ], [ 29, "new" ] ].each do |days, id|
        redis.call("ZADD", "dead", days.days.ago.to_f, { jid: id, class: "Strange", args: [] }.to_json)
      end
    end

    assert_equal 1, perform(Chore::DeadJobs).removed
    assert_equal [ "new" ], dead.map(&:jid)
    assert_operator Chore::DeadJobs.first.bytes, :>, 0
  ensure
    dead.clear
  end

  test "unattached uploads are deleted" do
    left, fresh = %w[ left fresh ].map { |text| ActiveStorage::Blob.create_and_upload!(io: StringIO.new(text),
      filename: text) }
    left.update_columns created_at: 3.days.ago
    test_runs(:finished).archive.attach io: StringIO.new("zip"), filename: "a.zip"
    ActiveStorage::Blob.where.not(id: [ left, fresh ]).update_all created_at: 1.year.ago

    assert_equal 1, perform(Chore::Uploads).removed
    assert_equal [ false, true ], [ left, fresh ].map { |blob| ActiveStorage::Blob.exists?(blob.id) }
    assert_not ActiveStorage::Blob.service.exist?(left.key)
    assert test_runs(:finished).archive.download
  end

  test "the days to keep are a number within bounds" do
    chore = Chore::Audit.create!
    [ "29", "3651", "0", "-1", "x", "1.5" ].each { |days| assert_not chore.update(kept_days: days), days }
    assert chore.update(kept_days: "30")
    assert chore.update(kept_days: "")
  end

  private
    def perform(kind)
      kind.create_or_find_by!(type: kind.name).then { |chore| chore.perform && chore.reload }
    end

    def database?(name)
      ApplicationRecord.connection.select_value("SELECT 1 FROM pg_database WHERE datname = '#{name}'").present?
    end

    def failing_at_first(kind)
      clear = kind.instance_method(:clear)
      kind.define_method(:clear) { raise Errno::EACCES, "/somewhere" }
      yield
    ensure
      kind.define_method(:clear, clear)
    end

    # Adds a sample for each second, and readings of both lengths.
    def ended_run(days_ago:, duration:)
      began = days_ago.days.ago
      run = test_runs(:finished)
      redefine run, duration: duration, warmup: 0, cooldown: 0
      run.update_columns load_starts_at: began, launched_at: began,
        ended_at: began + duration
      duration.times do |second|
        Sample.create! test_run: run, at: began + second + 0.5,
          figures: { rate: 100 + second, mean: 1000, p99: 2000, ok: second, errors: 0, late: 0 }
      end
      machine = run.machines.first || Machine.create!(test_run: run, provider: run.provider, name: "local", role: "all")
      book = TestRun::Reading::Book.new(run)
      duration.times { |second| book.add "machine:#{machine.name}", { "user" => 10.0 }, second..second }
      book.save
      TestRun.find(run.id)
    end

    # @return { name of a line => its values }
    def lines_of(series)
      series["charts"].flat_map { |chart| chart["lines"] }.to_h { |line| line.values_at("name", "values") }
    end

    def build_in(name)
      Build.create!(commit_sha: SecureRandom.hex(20), revision: "main", tree: name, state: "completed").tap do |build|
        folder_of(build).mkpath
        folder_of(build).join("mlmq.jar").write "jar"
        folder_of(build).join(".lock").write ""
      end
    end

    def folder_of(build)
      Rails.configuration.x.build_root.join(build.tree)
    end

    def age(paths)
      paths.each { |path| FileUtils.touch path, mtime: 40.days.ago.to_time }
    end
end
