# places: the files of a change, docs included; a place that ends with a slash is a folder with its files. uses: tests
# that use the new part; use: the commands that run them. proofs: tests of this tree that must pass with all places and
# fail without any one of them. In texts, ¦ marks the beginning of a line; the replacement of a part of a line has no
# trailing newline.
Change = Struct.new(:places, :uses, :use, :proofs, keyword_init: true)

JAVA = ->(tests, module_name) { [ "bash", "-c", "cd #{module_name} && ../bin/maven -q -pl #{module_name} -am test " \
  "-DforkCount=0 -DfailIfNoTests=false -Dtest=#{tests}" ] }
RAILS = ->(*files) { [ "bin/rails", "test", *files ] }
MAP_TEST = "test/models/map_test.rb"

def map_test(body)
  { MAP_TEST => <<~RUBY }
    require "test_helper"

    class MapTest < ActionDispatch::IntegrationTest
    #{body}
    end
  RUBY
end

PLOT_FOLDER = "log_analyzer/src/main/java/ch/ethz/mlmq/log_analyzer/plot/kinds"
PLOT_TESTS = "log_analyzer/src/test/java/ch/ethz/mlmq/log_analyzer/plot/kinds"

# A copy of ActiveMQ's folder under another name, whose driver has a key of its own
OWN_KEYS = '"own_keys":{"client.driver.echoes":{"type":"Integer","default":"3","range":"1..9","unit":"","sentence":""}}'
SYSTEM = Dir["#{ROOT}/systems/activemq/**/*"].select { |path| File.file?(path) && path !~ %r{/(target|test)/} }
  .to_h do |path|
    [ path.delete_prefix("#{ROOT}/").gsub("/activemq", "/echomq").sub("driver/jms", "driver/echo"),
      File.read(path).gsub("mlmq.driver.jms", "mlmq.driver.echo").gsub("mlmq-driver-jms", "mlmq-driver-echo")
        .gsub('"jms"', '"echo"').gsub("driver: jms", "driver: echo").gsub("System::Activemq", "System::Echomq")
        .gsub("label: ActiveMQ", "label: EchoMQ").sub("  - take\n", "  - take\n  - driver.echoes: { label: Echoes }\n")
        .sub(/\]\}\n?\z/, "],#{OWN_KEYS}}\n") ]
  end

CHANGES = {
  "figure" => Change.new(
    places: {
      "vocabulary/figures.yml" => { "  p95: {" => <<~YAML },
        ¦  p90: { dimension: time, better: lower, of: percentile, percent: 90, known: [ live, exact, try, comparison ],
        ¦    label: "Response time, p90", head: p90 }
        ¦  p95: {
      YAML
      "docs/reference/definition.md" => { "`p50` (`median`), " => "`p50` (`median`), `p90`, " }
    },
    uses: map_test(<<~RUBY),
      test "lists, conditions and comparisons know the figure" do
        assert_includes Figure.names(:comparison), "p90"
        assert Threshold.new("p90 < 5 ms").valid?
        assert_equal [ nil ], TestRun.where(id: test_runs(:finished)).sorted_by("p90").map { |run| run.figures["p90"] }
        sign_in_as users(:experimenter)
        get test_runs_path
        assert_match "p90", response.body
      end
    RUBY
    use: [ RAILS[MAP_TEST] ],
    proofs: [ RAILS["test/integration/definition_page_test.rb", "test/models/condition_test.rb"] ]),

  "design" => Change.new(
    places: {
      "testmaster/models/experiment/design/ends.rb" => <<~RUBY,
        # Each factor at its first level and at its last
        class Experiment::Design::Ends < Experiment::Design
          self.label, self.analysis = "ends of all factors", "anova"

          def points
            [ :first, :last ].map { |at| @factors.to_h { |factor| [ factor.name, factor.levels.public_send(at) ] } }
          end

          def size = 2
        end
      RUBY
      "testmaster/models/experiment/design.rb" => { '"points" => Points' => '"points" => Points, "ends" => Ends' }
    },
    uses: map_test(<<~RUBY),
      test "an experiment has the points of the design" do
        experiment = Experiment.from_definition(TestRunParams::STARTING_POINT.merge("name" => "Ends", "experiment" => {
          "design" => "ends", "factors" => [ { "name" => "workers", "path" => "brokers.0.settings.workers",
            "levels" => [ 2, 4, 8 ] } ] }))
        assert_predicate experiment, :valid?, experiment.errors.full_messages.to_sentence
        assert_equal [ 2, 8 ], experiment.planned_points.pluck("workers")
      end
    RUBY
    use: [ RAILS[MAP_TEST] ],
    proofs: [ RAILS["test/models/experiment_test.rb"] ]),

  "word" => Change.new(
    places: {
      "testmaster/models/definition/words.rb" => { '    List.new("thresholds"' => <<~RUBY },
        ¦    Choice.new("pace", choices: { "even" => "Evenly", "bursts" => "In bursts" }, section: :durations,
        ¦      varies: true),
        ¦    List.new("thresholds"
      RUBY
      "docs/reference/definition.md" => {
        "| `thresholds` |" => "| `pace` | `even` or `bursts` | `even` |\n| `thresholds` |"
      }
    },
    uses: map_test(<<~RUBY),
      test "YAML, form, errors and factors know the word" do
        run = test_runs(:draft)
        run.update! definition: { "pace" => "bursts" }
        assert_equal [ "bursts", "bursts" ], [ TestRun.find(run.id).pace, run.to_definition["pace"] ]
        assert_not run.tap { |it| it.pace = "slow" }.valid?
        assert_equal [ "must be bursts or even" ], run.errors[:pace]
        assert_includes Experiment::Path.all_in(run.to_definition), "pace"
        sign_in_as users(:experimenter)
        get edit_test_run_path(test_runs(:draft))
        assert_select "select[name='test_run[pace]'] option[selected]", "In bursts"
        patch test_run_path(test_runs(:draft)), params: { test_run: { pace: "even" } }
        assert_equal "even", TestRun.find(run.id).pace
      end
    RUBY
    use: [ RAILS[MAP_TEST] ],
    proofs: [ RAILS["test/integration/definition_page_test.rb", "test/models/definition_test.rb"] ]),

  "plot" => Change.new(
    places: {
      "#{PLOT_FOLDER}/SharePlot.java" => <<~JAVA,
        package ch.ethz.mlmq.log_analyzer.plot.kinds;

        import ch.ethz.mlmq.log_analyzer.plot.Chart;
        import ch.ethz.mlmq.log_analyzer.plot.Plot;
        import ch.ethz.mlmq.log_analyzer.plot.PlottedRun;
        import java.io.IOException;
        import java.util.Optional;
        import java.util.Set;

        /** The distribution once more, under a name of its own. */
        final class SharePlot implements Plot {
            @Override
            public String name() {
                return "share";
            }

            @Override
            public Set<Need> needs() {
                return Set.of(Need.ACTIONS);
            }

            @Override
            public Optional<Chart> draw(PlottedRun run) throws IOException {
                return new CdfPlot().draw(run);
            }
        }
      JAVA
      "#{PLOT_FOLDER}/Plots.java" => { "new StepsPlot());" => "new StepsPlot(), new SharePlot());" },
      "config/log_analyzer/plots.json" => { <<~JSON => <<~NEW }
        ¦      "needs" : [ "steps" ]
        ¦    }
      JSON
        ¦      "needs" : [ "steps" ]
        ¦    },
        ¦    "share" : {
        ¦      "needs" : [ "actions" ]
        ¦    }
      NEW
    },
    uses: map_test(<<~RUBY).merge("#{PLOT_TESTS}/MapTest.java" => <<~JAVA),
      test "every system's runs are offered the plot" do
        assert_equal "share", System["rabbitmq"].plots.last
        assert_predicate Analysis.new(test_run: test_runs(:finished), kind: "share"), :valid?
      end
    RUBY
      package ch.ethz.mlmq.log_analyzer.plot.kinds;

      import static org.assertj.core.api.Assertions.assertThat;

      import org.junit.jupiter.api.Test;

      class MapTest {
          @Test
          void shouldBeFoundByName() {
              assertThat(Plots.named("share")).isPresent();
          }
      }
    JAVA
    use: [ RAILS[MAP_TEST], JAVA["MapTest", "log_analyzer"] ],
    proofs: [ JAVA["PlotsTest", "log_analyzer"] ]),

  "setting" => Change.new(
    places: {
      "mlmq/src/main/java/ch/ethz/mlmq/config/BrokerKeys.java" => {
        "    public static final Key<Integer> BATCH_MAX" => <<~JAVA,
          ¦    public static final Key<Integer> ECHOES = integer("broker.echoes", 1, 9, "3", "echoes",
          ¦            "So many echoes.");
          ¦    public static final Key<Integer> BATCH_MAX
        JAVA
        "            BATCH_MAX, REQUEST_QUEUE" => "            ECHOES, BATCH_MAX, REQUEST_QUEUE"
      },
      "config/mlmq/broker.properties" => { "broker.workers=2\n" => <<~TEXT },
        broker.workers=2

        # So many echoes.
        # 1..9 echoes
        broker.echoes=3
      TEXT
      "config/mlmq/catalogue.json" => { "\"broker.batch.max\"" => <<~JSON }
        "broker.echoes": {"type":"Integer","default":"3","range":"1..9","unit":"echoes","sentence":"So many echoes."},
        "broker.batch.max"
      JSON
    },
    uses: map_test(<<~RUBY),
      test "a group has the setting and a factor may vary it" do
        group = Definition::BrokerGroup.new
        assert_equal "3", group.setting("echoes")
        assert_includes Experiment::Path.all_in(TestRunParams::STARTING_POINT), "brokers.0.settings.echoes"
      end
    RUBY
    use: [ RAILS[MAP_TEST] ],
    proofs: [ JAVA["BrokerTemplateTest,CatalogueTest", "mlmq"] ]),

  "system" => Change.new(
    places: {
      "systems/echomq/" => SYSTEM,
      "pom.xml" => { "    <module>systems/activemq/driver</module>\n" => <<~XML }
        ¦    <module>systems/activemq/driver</module>
        ¦    <module>systems/echomq/driver</module>
      XML
    },
    uses: map_test(<<~RUBY).merge("test/models/system/echomq_test.rb" =>
      test "its settings are in the form, and go to its driver" do
        setting = System[:echomq].settings.find { |it| it.name == "echoes" }
        assert_equal [ "Echoes", "3", 1..9 ], [ setting.label, setting.default, setting.range ]
        assert_equal({ "echoes" => "4" }, System[:echomq].settings_of_driver("echoes" => "4", "kahadb.x" => "1"))
      end
    RUBY
      File.read("#{ROOT}/test/models/system/activemq_test.rb").sub("Activemq", "Echomq").sub(":activemq", ":echomq")),
    use: [ RAILS[MAP_TEST, "test/models/system/echomq_test.rb"],
      [ "bin/maven", "-q", "-pl", "systems/echomq/driver", "-am", "compile" ] ],
    proofs: [ RAILS["test/models/system/folders_test.rb"], [ "bin/maven", "-q", "validate" ] ])
}
