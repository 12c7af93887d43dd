# Deletes the figures of each second of runs that ended long ago. Their charts then use longer steps.
class Chore::Figures < Chore
  self.title, self.thing = "Figures of each second", "rows"
  self.words = "Charts of a run that is older show 240 points, and say so. Its logs stay as they are in its zip."
  self.tables = %w[ samples test_run_readings ]
  self.usual_days, self.fewest_days = 90, 7

  private
    def clear
      TestRun.to_be_thinned(limit).find_each do |run|
        run.note_thinned
        fine_figures_of(run).each { |rows| delete_rows rows }
        break if out_of_time?
      end
    end

    def fine_figures_of(run)
      [ Sample.where(test_run_id: run.id),
        TestRun::Reading.where(test_run_id: run.id, length: ...TestRun::Step.length_in(run)) ]
    end
end
