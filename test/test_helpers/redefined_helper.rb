# Changes the definition of a saved run, or its only group of a role, without validation.
module RedefinedHelper
  def redefine(run, **words)
    run.definition.assign_attributes words
    run.save! validate: false
  end

  def change_group(run, role, **attributes)
    run.definition.groups_of(role.to_s).sole.assign_attributes attributes
    run.save! validate: false
  end
end

ActiveSupport::TestCase.include RedefinedHelper
