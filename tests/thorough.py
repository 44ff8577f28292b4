"""Which tests are `thorough`: variants and slower tests of what the default suite also covers.

`pytest` leaves them out, so that it takes minutes on two cores; `pytest -m thorough` and CI
run them. They are listed here and not marked one by one, because what is chosen is a budget: of
every room the default suite keeps some tests of each kind.
"""

from collections.abc import Iterable

import pytest

WHOLE = {
    # Experiments compose to committed settings (tests/conf/test_compositions.py) by default; these
    # say what the settings mean in the papers.
    "tests/conf/test_brandao2023.py": "*",
    "tests/conf/test_konz2024.py": "*",
    "tests/conf/test_movahedi2025.py": "*",
    "tests/conf/test_prach2025.py": "*",
    "tests/conf/test_protocol.py": "test_any_protocol_goes_with_any_data_and_any_task",
    "tests/docs/test_pages.py": "test_the_commands_of_claims_compose",
    # All checks on a second device; by default those of the device itself.
    "tests/accelerator/test_accelerator.py": "test_checks_pass_on_the_device",
    # Several processes, killed and resumed; by default one case of each.
    "tests/launch/test_survival.py": (
        "test_kills_change_nothing test_two_launches_of_one_run_make_one_record "
        "test_no_whole_checkpoint_left_starts_anew_and_says_so"
    ),
    "tests/launch/test_processes.py": (
        "test_a_sweep_may_mix_numbers_of_devices "
        "test_a_killed_rank_ends_the_run_and_one_process_can_finish_it"
    ),
    "tests/launch/test_launchers.py": (
        "test_a_sweep_in_other_processes test_runs_on_two_devices_each_inside_a_sweep"
    ),
    "tests/launch/test_ensemble.py": (
        "test_two_processes_give_the_numbers_of_one "
        "test_a_killed_ensemble_goes_on_to_the_bit_velocity_included"
    ),
    "tests/launch/test_augmentation.py": "test_a_killed_run_goes_on_with_the_same_images",
    "tests/launch/test_validation.py": "test_two_processes_choose_the_same_network",
    "tests/reliability/test_disks.py": (
        "test_a_limit_on_file_sizes_fails_the_run_and_room_lets_it_finish"
    ),
    # Whole commands whose parts have tests of their own.
    "tests/launch/test_konz2024.py": "test_a_run_by_the_published_codes_rules",
    "tests/launch/test_names.py": (
        "test_folders_that_are_not_utf8_are_measured_logged_and_reported"
    ),
    "tests/launch/test_other_data.py": (
        "test_seeds_before_an_edit_are_not_averaged_with_those_after "
        "test_a_sweep_says_once_what_changed "
        "test_a_checkpoint_of_other_data_is_never_resumed "
        "test_a_run_finished_under_another_name_is_said_and_counted_once"
    ),
    "tests/launch/test_longer_run.py": (
        "test_a_longer_run_that_fails_resumes test_other_settings_and_fewer_epochs_are_other_runs"
    ),
    "tests/launch/test_measure.py": (
        "test_many_runs_and_measurements_at_once "
        "test_numbers_taken_with_other_options_are_not_replaced"
    ),
    "tests/launch/test_warnings.py": "test_a_network_in_the_middle_of_training_is_not_kept",
    "tests/launch/test_probes.py": (
        "test_training_with_all_probes_at_every_epoch_is_the_same_to_the_bit"
    ),
    "tests/launch/test_run.py": "test_settings_that_change_no_number_change_no_key",
    "tests/launch/test_difficulty.py": (
        "test_few_images_are_all_taken test_bad_data_give_the_messages_and_exit_code_of_a_run"
    ),
    "tests/analysis/test_mutated_records.py": (
        "test_a_folder_whose_name_is_no_utf8_still_makes_a_report "
        "test_the_report_of_them_is_made_and_no_table_breaks"
    ),
    "tests/analysis/test_brandao2023.py": ("test_stand_ins_under_one_noise_do_not_mark_the_other"),
    "tests/callbacks/test_probe.py": "test_probes_work_in_double_precision",
    "tests/metrics/test_fit_power_law.py": (
        "test_a_power_law_is_not_told_from_the_lognormal_that_contains_it"
    ),
}

# `pytest <folder>` runs its thorough tests too: without them little is left.
AS_A_WHOLE = {"tests/accelerator"}

# Of these parametrised tests the default suite runs every so manieth case.
SOME = {
    "tests/conf/test_plan.py": {
        "test_every_choice_of_every_group_composes_and_fits_its_target": 5,
        "test_every_experiment_plans_its_small_grid_and_names_its_command": 6,
    },
    "tests/conf/test_templates.py": {"test_a_run_of_a_grid_is_the_run_on_its_own": 3},
    "tests/docs/test_pages.py": {"test_the_commands_of_a_page_compose": 4},
    "tests/launch/test_survival.py": {
        "test_an_interrupt_ends_cleanly_and_the_same_command_goes_on": 2,
        "test_batch_norm_schedules_and_precision_resume_to_the_bit": 3,
        "test_a_run_that_stopped_early_stays_stopped": 2,
    },
    "tests/launch/test_processes.py": {"test_two_processes_give_the_numbers_of_one": 2},
    "tests/launch/test_longer_run.py": {"test_it_ends_as_if_it_had_never_been_shorter": 3},
    "tests/launch/test_wandb.py": {"test_a_resumed_run_has_every_epoch_in_wandb_once": 2},
    "tests/launch/test_warnings.py": {
        "test_the_same_command_measures_again_what_failed_without_training": 3
    },
    "tests/launch/test_ensemble.py": {"test_other_networks_train_as_ensembles_with_all_probes": 2},
    "tests/launch/test_validation.py": {"test_a_failed_run_resumes_with_its_best_network": 2},
    "tests/launch/test_measure.py": {"test_numbers_are_those_of_a_run_that_measured_them": 2},
    "tests/launch/test_other_data.py": {"test_edited_data_make_a_new_run_and_a_copy_none": 3},
    "tests/launch/test_run.py": {
        "test_optimisers_and_schedules_train": 2,
        "test_other_networks_train": 3,
    },
    "tests/reliability/test_lost_records.py": {
        "test_a_lost_record_fails_the_run_with_the_reason": 4
    },
    "tests/records/test_key.py": {
        "test_where_nothing_is_trained_settings_of_training_do_not_count": 3
    },
    "tests/metrics/test_predicted_evolution.py": {
        "test_a_convolution_moves_as_theorem_3_2_says_size_included": 3
    },
}


def mark_thorough(items: Iterable[pytest.Item], words: Iterable[str] = ()) -> None:
    """Give the marker `thorough` to the tests listed above, except in folders run as a whole.

    Args:
        items: all tests.
        words: files and folders that a command without `-m` names.
    """
    seen: dict[str, int] = {}
    named = {word.rstrip("/") for word in words} & AS_A_WHOLE
    for item in items:
        file, _, name = item.nodeid.partition("::")
        if file.rpartition("/")[0] in named:
            continue
        name = name.partition("[")[0]
        chosen = WHOLE.get(file, "").split()
        step = SOME.get(file, {}).get(name, 1)
        place = seen.setdefault(f"{file}::{name}", 0)
        seen[f"{file}::{name}"] += 1
        if chosen == ["*"] or name in chosen or place % step:
            item.add_marker(pytest.mark.thorough)
