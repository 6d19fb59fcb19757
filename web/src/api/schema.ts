// Generated from the server's OpenAPI document by `npm run generate`; do not edit.
export interface paths {
    "/api/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Login
         * @description Exchange the token for a cookie that scripts in the page cannot read.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make Link
         * @description Make a token for a login link, for another device or a script. It is shown once.
         */
        post: operations["make_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logout */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get State */
        get: operations["get_state"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Agents
         * @description As last known: an agent that does not answer never holds this up.
         */
        get: operations["list_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check Agents
         * @description Ask them again, now.
         */
        post: operations["check_agents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notices/{notice_id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Dismiss Notice */
        post: operations["dismiss_notice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health
         * @description For monitors; open without login, and says nothing of what is worked on.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Settings */
        get: operations["get_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change Settings
         * @description Holds from the next spawn on; what runs is left alone.
         */
        patch: operations["change_settings"];
        trace?: never;
    };
    "/api/runner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Runner */
        get: operations["get_runner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runner/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run Runner
         * @description Take work. Nothing happens when it does already.
         */
        post: operations["run_runner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runner/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop Runner
         * @description Wait for what runs, then interrupt it; the web part stays up.
         */
        post: operations["stop_runner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runner/build": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Build */
        post: operations["build"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runner/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart
         * @description Build, then stop, then start as a new process. A failed build keeps what runs.
         */
        post: operations["restart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runner/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Operation
         * @description End a build that is under way.
         */
        post: operations["cancel_operation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runner/operations/{operation_id}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Operation Output */
        get: operations["get_operation_output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List Projects */
        get: operations["list_projects"];
        put?: never;
        /** Add Project */
        post: operations["add_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change Project */
        patch: operations["change_project"];
        trace?: never;
    };
    "/api/projects/{project_id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Project Changes
         * @description Of the tree that a commit with the same task would be made in.
         */
        get: operations["get_project_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/commit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Commit Changes */
        post: operations["commit_changes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Storage */
        get: operations["get_storage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/clean-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clean Up
         * @description Let go at once of what would go by itself within a day.
         */
        post: operations["clean_up"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/prepare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare Agent
         * @description Have the agent ready for the first message of a new chat, where it gains by that.
         */
        post: operations["prepare_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List Queues */
        get: operations["list_queues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspace_id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hold Workspace */
        post: operations["hold_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces/{workspace_id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Release Workspace */
        post: operations["release_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/commands": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Commands */
        get: operations["get_commands"];
        /** Edit Commands */
        put: operations["edit_commands"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/commands/save": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Save Commands */
        post: operations["save_commands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/commands/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Pin
         * @description What of the checks is accepted, and how the present ones differ from that.
         */
        get: operations["get_pin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/commands/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept Commands
         * @description Take the checks as they are for granted from now on; 409 where they are no longer those `seen`.
         */
        post: operations["accept_commands"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List Sessions */
        get: operations["list_sessions"];
        put?: never;
        /** Create Session */
        post: operations["create_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{project_id}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Session */
        get: operations["get_session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change Session */
        patch: operations["change_session"];
        trace?: never;
    };
    "/api/sessions/{project_id}/{slug}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send Message */
        post: operations["send_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{project_id}/{slug}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List Tasks */
        get: operations["list_tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{project_id}/{slug}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Session Events */
        get: operations["get_session_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{project_id}/{slug}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive Session */
        post: operations["archive_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{project_id}/{slug}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete Session */
        post: operations["delete_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Task */
        get: operations["get_task"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Output */
        get: operations["get_output"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Diff */
        get: operations["get_diff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Steps */
        get: operations["get_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/stuck-report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Stuck Report */
        get: operations["get_stuck_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Task Events */
        get: operations["get_task_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/resume-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Resume Options */
        get: operations["get_resume_options"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/rollback-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Rollback Preview */
        get: operations["get_rollback_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/undo-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Undo Preview */
        get: operations["get_undo_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reply */
        post: operations["reply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel */
        post: operations["cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume */
        post: operations["resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply
         * @description Write a dry run's proposal and verify it. Where the tree moved: 409 `merge_needed` with the merge to confirm.
         */
        post: operations["apply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Discard */
        post: operations["discard"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rollback
         * @description Take a task's changes away. Where others' lie on top: 409 `merge_needed` with what would change, to confirm.
         */
        post: operations["rollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/undo-rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo Rollback
         * @description Where something changed since: 409 `merge_needed` with what would change, to confirm.
         */
        post: operations["undo_rollback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/bring-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring Back
         * @description Set a branch, a tag or a stash to what it was when the task began.
         */
        post: operations["bring_back"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/doubts/{doubt_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept Doubt
         * @description Say why a doubt about the verdict is all right. A verdict without a serious one left is green again.
         */
        post: operations["accept_doubt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide
         * @description Wait for a limit or not, give a budget more or end it there, reset the breaker.
         */
        post: operations["decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/answers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer Form */
        post: operations["answer_form"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/permission": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decide Permission */
        post: operations["decide_permission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/steer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Steer
         * @description Send a message to a task that runs. It goes to the agent at its next pause, or into its next turn.
         */
        post: operations["steer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/steer/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change Steering */
        post: operations["change_steering"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{project_id}/{slug}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List Grants */
        get: operations["list_grants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{project_id}/{slug}/grants/{grant_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke Grant */
        post: operations["revoke_grant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks/{task_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Runs */
        get: operations["get_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Run */
        get: operations["get_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runs/{run_id}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Run Log */
        get: operations["get_run_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ways-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Ways Back
         * @description Of every workspace, newest first.
         */
        get: operations["list_ways_back"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Usage
         * @description Cost and tokens of every spawn that began in that time, summed up by what is asked for.
         */
        get: operations["get_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Notifications */
        get: operations["get_notifications"];
        /** Change Notifications */
        put: operations["change_notifications"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test Notification
         * @description Send something now; what the channel itself says of it comes back.
         */
        post: operations["test_notification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** AcceptChecksIn */
        AcceptChecksIn: {
            /** Reason */
            reason: string;
            /** Seen */
            seen: string;
        };
        /** AcceptIn */
        AcceptIn: {
            /** Reason */
            reason: string;
            /**
             * Attempt
             * @description Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted.
             */
            attempt?: number | null;
        };
        /** AcceptedOut */
        AcceptedOut: {
            /** Reason */
            reason: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
        };
        /**
         * Action
         * @enum {string}
         */
        Action: "claim" | "finish" | "await" | "fail" | "stick" | "cancel" | "reply" | "permit" | "resume" | "apply" | "discard" | "decide";
        /** AgentCheckIn */
        AgentCheckIn: {
            /**
             * Name
             * @description Only this one; null checks them all.
             */
            name?: string | null;
        };
        /**
         * AgentDenied
         * @description A tool was refused, and the agent went on without it.
         */
        AgentDenied: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Tool */
            tool: string;
            /**
             * Detail
             * @default
             */
            detail: string;
        };
        /** AgentDeniedEvent */
        AgentDeniedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent.denied";
            data: components["schemas"]["AgentDenied"];
        };
        /** AgentErrorOut */
        AgentErrorOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Message */
            message: string;
            kind: components["schemas"]["ErrorKind"] | null;
        };
        /**
         * AgentFresh
         * @description The agent's own session could not be continued; it began anew from what is saved.
         */
        AgentFresh: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Reason */
            reason: string;
        };
        /** AgentFreshEvent */
        AgentFreshEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "agent.fresh";
            data: components["schemas"]["AgentFresh"];
        };
        /** AgentList */
        AgentList: {
            /** Items */
            items: components["schemas"]["AgentOut"][];
        };
        /** AgentOut */
        AgentOut: {
            /** Name */
            name: string;
            /** Label */
            label: string;
            /** Installed */
            installed: boolean;
            /** Ready */
            ready: boolean;
            /** Version */
            version: string | null;
            /** Problem */
            problem: string;
            /** Fix */
            fix: string;
            /**
             * Program
             * @description Which program runs; empty where there is none of its own.
             */
            program: string;
            /**
             * Credentials
             * @description Null where only a run can tell.
             */
            credentials: boolean | null;
            /**
             * Models
             * @description Those it is known to have; it may take others.
             */
            models: string[];
            /** Efforts */
            efforts: string[];
            /**
             * Capabilities
             * @description Of questions, permissions, steering, mcp, read_only, cost and context.
             */
            capabilities: string[];
            /**
             * Custom
             * @description Whether a person added it in the settings.
             */
            custom: boolean;
            /**
             * Checked At
             * @description Null while it is being checked for the first time.
             */
            checked_at: string | null;
            /** @description How its last run failed; null once one has not. */
            last_error: components["schemas"]["AgentErrorOut"] | null;
        };
        /** AgentPreferences */
        "AgentPreferences-Input": {
            /**
             * Default
             * @description Who works where nothing nearer names an agent.
             */
            default?: string | null;
            /** @description Agent, model and effort of each role. */
            roles?: components["schemas"]["Wishes-Input"];
            /**
             * Custom
             * @default []
             */
            custom?: components["schemas"]["CustomAgent-Input"][];
            /**
             * Env
             * @description Names of further environment variables that agents get.
             * @default []
             */
            env?: string[];
            /**
             * Tools
             * @description Tools beyond the whitelist, for agents that may write.
             * @default []
             */
            tools?: string[];
        };
        /** AgentPreferences */
        "AgentPreferences-Output": {
            /**
             * Default
             * @description Who works where nothing nearer names an agent.
             */
            default: string | null;
            /** @description Agent, model and effort of each role. */
            roles: components["schemas"]["Wishes-Output"];
            /**
             * Custom
             * @default []
             */
            custom: components["schemas"]["CustomAgent-Output"][];
            /**
             * Env
             * @description Names of further environment variables that agents get.
             * @default []
             */
            env: string[];
            /**
             * Tools
             * @description Tools beyond the whitelist, for agents that may write.
             * @default []
             */
            tools: string[];
        };
        /** AnswerIn */
        AnswerIn: {
            /** Question Id */
            question_id: string;
            /**
             * Value
             * @description The value of an option, several of them, or words of one's own; `approve` for a plan.
             */
            value: string | string[];
        };
        /** AnswersIn */
        AnswersIn: {
            /**
             * Answers
             * @description One for each question of `form`.
             */
            answers: components["schemas"]["AnswerIn"][];
            /**
             * Attempt
             * @description Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted.
             */
            attempt?: number | null;
        };
        /** ApplyIn */
        ApplyIn: {
            /**
             * Merge
             * @description The `merge` of a `merge_needed` answer, to confirm that very merge.
             */
            merge?: string | null;
            /**
             * Attempt
             * @description Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted.
             */
            attempt?: number | null;
        };
        /** ApplyOut */
        ApplyOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
            /** Task Id */
            task_id: string;
            old_status: components["schemas"]["TaskStatus"];
            new_status: components["schemas"]["TaskStatus"];
            /** Attempt */
            attempt: number;
            /** Merged */
            merged: boolean;
        };
        /** AttemptFinished */
        AttemptFinished: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Outcome */
            outcome: string;
            /** Duration Ms */
            duration_ms: number;
        };
        /** AttemptFinishedEvent */
        AttemptFinishedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attempt.finished";
            data: components["schemas"]["AttemptFinished"];
        };
        /** AttemptList */
        AttemptList: {
            /** Items */
            items: components["schemas"]["AttemptOut"][];
        };
        /**
         * AttemptMode
         * @enum {string}
         */
        AttemptMode: "first" | "reply" | "soft" | "rollback" | "apply";
        /** AttemptOut */
        AttemptOut: {
            /** Number */
            number: number;
            mode: components["schemas"]["AttemptMode"];
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Finished At */
            finished_at: string | null;
            /** Outcome */
            outcome: string | null;
            /** Output Bytes */
            output_bytes: number;
            /** Steps */
            steps: components["schemas"]["StepOut"][];
        };
        /** AttemptStarted */
        AttemptStarted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Mode */
            mode: string;
            /** Checkpoint */
            checkpoint: string | null;
        };
        /** AttemptStartedEvent */
        AttemptStartedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "attempt.started";
            data: components["schemas"]["AttemptStarted"];
        };
        /**
         * Awaiting
         * @enum {string}
         */
        Awaiting: "question" | "permission" | "interrupted" | "timeout" | "dry_run" | "blocker" | "usage_limit" | "budget" | "breaker";
        /** AwakeOut */
        AwakeOut: {
            /**
             * State
             * @description idle: nothing runs, so the machine may sleep.
             * @enum {string}
             */
            state: "idle" | "held" | "unavailable";
            /** Method */
            method: string;
            /** Why Not */
            why_not: string;
        };
        /** BreakerChangeOut */
        BreakerChangeOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            source: components["schemas"]["BreakerState"];
            target: components["schemas"]["BreakerState"];
            /** Trigger */
            trigger: string;
            /** Spawn Count */
            spawn_count: number;
            /** Context */
            context: string;
        };
        /** BreakerOut */
        BreakerOut: {
            state: components["schemas"]["BreakerState"];
            /** Reason */
            reason: string;
            /** History */
            history: components["schemas"]["BreakerChangeOut"][];
        };
        /**
         * BreakerState
         * @enum {string}
         */
        BreakerState: "CLOSED" | "HALF_OPEN" | "OPEN";
        /** BringBackIn */
        BringBackIn: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "branch" | "tag" | "stash";
            /** Name */
            name: string;
            /**
             * Then
             * @description As the preview shows it: tells stashes of one name apart.
             */
            then?: string | null;
        };
        /** BringBackOut */
        BringBackOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
            /** @description What it was, and what it was just now. */
            brought_back: components["schemas"]["MovedOut"];
        };
        /** BudgetLimits */
        BudgetLimits: {
            /** Usd */
            usd: number | null;
            /** Tokens */
            tokens: number | null;
            /** Minutes */
            minutes: number | null;
        };
        /**
         * BudgetPreferences
         * @description Defaults for every task; empty sets no limit. At a limit the task pauses and asks.
         */
        "BudgetPreferences-Input": {
            /** Task Usd */
            task_usd?: number | null;
            /** Session Usd */
            session_usd?: number | null;
            /** Task Minutes */
            task_minutes?: number | null;
            /** Session Minutes */
            session_minutes?: number | null;
            /** Task Tokens */
            task_tokens?: number | null;
            /** Session Tokens */
            session_tokens?: number | null;
        };
        /**
         * BudgetPreferences
         * @description Defaults for every task; empty sets no limit. At a limit the task pauses and asks.
         */
        "BudgetPreferences-Output": {
            /** Task Usd */
            task_usd: number | null;
            /** Session Usd */
            session_usd: number | null;
            /** Task Minutes */
            task_minutes: number | null;
            /** Session Minutes */
            session_minutes: number | null;
            /** Task Tokens */
            task_tokens: number | null;
            /** Session Tokens */
            session_tokens: number | null;
        };
        /** BuildIn */
        BuildIn: {
            /**
             * Project Id
             * @description Whose build check to run; Pilothouse's own build when left out.
             */
            project_id?: string | null;
        };
        /** CancelIn */
        CancelIn: {
            /**
             * Hold
             * @description Also hold the workspace's queue.
             * @default false
             */
            hold?: boolean;
        };
        /** CancelOut */
        CancelOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
            /** Task Id */
            task_id: string;
            old_status: components["schemas"]["TaskStatus"];
            /** @description Null when the task had not started: it is gone without a trace. */
            new_status: components["schemas"]["TaskStatus"] | null;
            /**
             * Prompt
             * @description The text, for the composer's draft; its limits stand beside it.
             */
            prompt: string;
            /** Constraints */
            constraints: string[];
            /** Non Goals */
            non_goals: string[];
            /** Boundaries */
            boundaries: string[];
        };
        /** ChangedFileOut */
        ChangedFileOut: {
            /** Path */
            path: string;
            /** Old Path */
            old_path: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "added" | "modified" | "deleted" | "renamed" | "type" | "untracked" | "conflict";
            /** Staged */
            staged: boolean;
            /**
             * By Task
             * @description Whether the task that was named changed it.
             * @default false
             */
            by_task: boolean;
        };
        /**
         * ChangesOut
         * @description What a working tree holds over its last commit.
         */
        ChangesOut: {
            /** Branch */
            branch: string | null;
            /** Files */
            files: components["schemas"]["ChangedFileOut"][];
            /**
             * Busy
             * @description Why a commit is not possible now.
             */
            busy: string | null;
        };
        /**
         * ChannelIn
         * @description One that is there already by its id, or a new one by its address.
         */
        ChannelIn: {
            /** Id */
            id?: string | null;
            /**
             * Url
             * @description Any address that Apprise understands.
             */
            url?: string | null;
        };
        /** ChannelOut */
        ChannelOut: {
            /** Id */
            id: string;
            /**
             * Shown
             * @description The address, its secrets masked.
             */
            shown: string;
            last: components["schemas"]["DeliveryOut"] | null;
        };
        /** CheckIn */
        CheckIn: {
            /** Name */
            name: string;
            /**
             * Command
             * @description Text runs by `sh -c`; a list is a program and its arguments.
             */
            command: string | string[];
            /**
             * Timeout Seconds
             * @default 600
             */
            timeout_seconds?: number;
            /**
             * Folder
             * @description Where it runs, relative to the repository's root.
             * @default
             */
            folder?: string;
        };
        /** CheckOut */
        CheckOut: {
            /** Name */
            name: string;
            /** Command */
            command: string | string[];
            /** Shown */
            shown: string;
            /** Timeout Seconds */
            timeout_seconds: number;
            /** Folder */
            folder: string;
            /**
             * Source
             * @description Where it was found; empty when a person wrote it.
             */
            source: string;
        };
        /** CheckOutcomeOut */
        CheckOutcomeOut: {
            /**
             * Number
             * @description Counted from 1; names the check's log.
             */
            number: number;
            /** Name */
            name: string;
            /** Command */
            command: string;
            result: components["schemas"]["CheckResult"];
            /** Exit Code */
            exit_code: number | null;
            /** Duration Ms */
            duration_ms: number;
            /**
             * Log Path
             * @description Empty when it never started.
             */
            log_path: string;
            /**
             * Detail
             * @description Why it timed out or could not be run.
             */
            detail: string;
        };
        /**
         * CheckResult
         * @enum {string}
         */
        CheckResult: "passed" | "failed" | "timeout" | "unrunnable" | "skipped";
        /** ChecklistItemOut */
        ChecklistItemOut: {
            /** Title */
            title: string;
            /** Done */
            done: boolean;
            /** Note */
            note: string;
        };
        /** ClashOut */
        ClashOut: {
            /** Path */
            path: string;
            /** Reason */
            reason: string;
        };
        /** CleanUpOut */
        CleanUpOut: {
            /** Checkpoints */
            checkpoints: number;
            /**
             * Bytes
             * @description An estimate of what the repository holds for checkpoints alone.
             */
            bytes: number;
            /**
             * Retention Days
             * @description How long the checkpoints of a finished session are kept.
             */
            retention_days: number;
            /**
             * Forgotten
             * @description How many checkpoints went.
             */
            forgotten: number;
        };
        /** CommandsIn */
        CommandsIn: {
            /**
             * Checks
             * @description Null goes back to what is detected; empty verifies nothing.
             */
            checks: components["schemas"]["CheckIn"][] | null;
        };
        /**
         * CommandsOut
         * @description What the next task will be verified with, and why.
         */
        CommandsOut: {
            /**
             * Origin
             * @enum {string}
             */
            origin: "agent.yaml" | "edited" | "detected";
            /** Checks */
            checks: components["schemas"]["CheckOut"][];
            /** Package */
            package: string | null;
            /**
             * Problems
             * @description What is wrong with agent.yaml; no task starts while there is one.
             */
            problems: components["schemas"]["ProblemOut"][];
            /**
             * Notes
             * @description What detection avoided and why, and which programs are missing.
             */
            notes: string[];
            /** Detected */
            detected: components["schemas"]["CheckOut"][];
            /**
             * Text
             * @description agent.yaml as it is; null where there is none, or none that can be shown.
             */
            text: string | null;
            /**
             * Proposed
             * @description agent.yaml as it would be with these checks.
             */
            proposed: string;
        };
        /** CommitIn */
        CommitIn: {
            /** Message */
            message: string;
            /** Paths */
            paths?: string[] | null;
            /**
             * Task Id
             * @description The task whose changes these are, for the log.
             */
            task_id?: string | null;
            /**
             * Accept
             * @description Digests of programs of the repository that a commit may run from now on.
             * @default []
             */
            accept?: string[];
        };
        /** CommitOut */
        CommitOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
            /** Commit */
            commit: string;
            /** Files */
            files: number;
        };
        /** CommittedOut */
        CommittedOut: {
            /** Commit */
            commit: string;
            /** Files */
            files: number;
        };
        /**
         * ConfinementOut
         * @description How agents are held in now.
         */
        ConfinementOut: {
            /**
             * Mode
             * @enum {string}
             */
            mode: "off" | "processes" | "files";
            /**
             * Active
             * @description Whether it holds for the next spawn.
             */
            active: boolean;
            /**
             * Fixed By
             * @description The environment variable that decides it; then the switch does not.
             */
            fixed_by: string | null;
            /** Available */
            available: boolean;
            /**
             * Problem
             * @description Why it is not available.
             */
            problem: string;
            /** Fix */
            fix: string;
        };
        /** ConfinementPreferences */
        "ConfinementPreferences-Input": {
            /**
             * Mode
             * @description off, processes (processes and DATA_DIR of its own), or files (and writes).
             * @default processes
             * @enum {string}
             */
            mode?: "off" | "processes" | "files";
            /**
             * Writable
             * @description Further folders agents may write to.
             * @default []
             */
            writable?: string[];
        };
        /** ConfinementPreferences */
        "ConfinementPreferences-Output": {
            /**
             * Mode
             * @description off, processes (processes and DATA_DIR of its own), or files (and writes).
             * @default processes
             * @enum {string}
             */
            mode: "off" | "processes" | "files";
            /**
             * Writable
             * @description Further folders agents may write to.
             * @default []
             */
            writable: string[];
        };
        /**
         * ContextCompacted
         * @description The next turn begins a fresh agent session from what is saved.
         */
        ContextCompacted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /**
             * Reason
             * @enum {string}
             */
            reason: "full" | "pressure";
            /**
             * Tokens
             * @default 0
             */
            tokens: number;
            /**
             * Window
             * @default 0
             */
            window: number;
            /** Agent Session */
            agent_session: string | null;
        };
        /** ContextCompactedEvent */
        ContextCompactedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "context.compacted";
            data: components["schemas"]["ContextCompacted"];
        };
        /**
         * ContextFilled
         * @description A mark was passed for the first time in this agent session.
         */
        ContextFilled: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Tokens */
            tokens: number;
            /** Window */
            window: number;
            /**
             * Level
             * @enum {integer}
             */
            level: 80 | 95;
        };
        /** ContextFilledEvent */
        ContextFilledEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "context.filled";
            data: components["schemas"]["ContextFilled"];
        };
        /** ContextOut */
        ContextOut: {
            /** Tokens */
            tokens: number;
            /** Window */
            window: number;
            /**
             * Level
             * @description The highest mark passed; at 95 the next turn begins afresh.
             * @enum {integer}
             */
            level: 0 | 80 | 95;
        };
        /**
         * CustomAgent
         * @description A program of the person's own that speaks the Agent Client Protocol on its standard input and output.
         */
        "CustomAgent-Input": {
            /** Name */
            name: string;
            /**
             * Label
             * @default
             */
            label?: string;
            /**
             * Command
             * @description A program and its arguments.
             */
            command: string[];
            /**
             * Env
             * @description Names of further environment variables it gets; their values stay outside.
             * @default []
             */
            env?: string[];
        };
        /**
         * CustomAgent
         * @description A program of the person's own that speaks the Agent Client Protocol on its standard input and output.
         */
        "CustomAgent-Output": {
            /** Name */
            name: string;
            /**
             * Label
             * @default
             */
            label: string;
            /**
             * Command
             * @description A program and its arguments.
             */
            command: string[];
            /**
             * Env
             * @description Names of further environment variables it gets; their values stay outside.
             * @default []
             */
            env: string[];
        };
        /** DecisionIn */
        DecisionIn: {
            /**
             * Choice
             * @enum {string}
             */
            choice: "wait" | "retry" | "pause" | "close" | "override" | "more" | "replan" | "stop" | "reset";
            /**
             * Amount
             * @description With `more` and `replan`: dollars, tokens or minutes; as much again if omitted.
             */
            amount?: number | null;
            /**
             * Attempt
             * @description Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted.
             */
            attempt?: number | null;
        };
        /** DecisionOut */
        DecisionOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
            /** Task Id */
            task_id: string;
            /**
             * Choice
             * @enum {string}
             */
            choice: "wait" | "retry" | "pause" | "close" | "override" | "more" | "replan" | "stop" | "reset";
            old_status: components["schemas"]["TaskStatus"];
            new_status: components["schemas"]["TaskStatus"];
        };
        /** DeliveryOut */
        DeliveryOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Error
             * @description In the channel's own words; empty when it got through.
             */
            error: string;
        };
        /** DesktopOut */
        DesktopOut: {
            /** Available */
            available: boolean;
            /** Why Not */
            why_not: string;
            last: components["schemas"]["DeliveryOut"] | null;
        };
        /** DiffOut */
        DiffOut: {
            stat: components["schemas"]["StatOut"];
            /** Patch */
            patch: string;
            /**
             * Truncated
             * @description The patch is cut at 1 MB; ask for single files with `path`.
             */
            truncated: boolean;
        };
        /** DifferenceOut */
        DifferenceOut: {
            /**
             * Path
             * @description Null for the commands themselves.
             */
            path: string | null;
            /**
             * Diff
             * @description From what was accepted to what is there now.
             */
            diff: string;
        };
        /** DiscardIn */
        DiscardIn: {
            /**
             * Attempt
             * @description Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted.
             */
            attempt?: number | null;
        };
        /**
         * DoubtKind
         * @enum {string}
         */
        DoubtKind: "test_deleted" | "test_skipped" | "test_xfailed" | "test_emptied" | "assertion_removed" | "assertion_weakened" | "snapshot_rewritten" | "checks_changed" | "pinned_checks_fail" | "checks_unaccepted" | "planted" | "outside_package" | "outside_boundary" | "untested" | "no_tests_ran" | "test_not_run" | "base_tests_fail" | "not_inspected";
        /** DoubtOut */
        DoubtOut: {
            /** Id */
            id: string;
            kind: components["schemas"]["DoubtKind"];
            /** @description A verdict with a `serious` one that nobody accepted is not green. */
            severity: components["schemas"]["Severity"];
            /** Path */
            path: string;
            /** Line */
            line: number | null;
            /**
             * Name
             * @description The test or check concerned.
             */
            name: string;
            /** Message */
            message: string;
            /** @description Set once a person accepted it. */
            accepted: components["schemas"]["AcceptedOut"] | null;
        };
        /**
         * EnvironmentOut
         * @description A setting that is read once, when the server starts.
         */
        EnvironmentOut: {
            /** Name */
            name: string;
            /** Description */
            description: string;
            /**
             * Value
             * @description Secrets are only told to be set.
             */
            value: string;
            /** Default */
            default: string;
            /**
             * Given
             * @description Whether the environment or the command line set it.
             */
            given: boolean;
        };
        /**
         * ErrorKind
         * @enum {string}
         */
        ErrorKind: "agent" | "infrastructure" | "credentials" | "configuration" | "guard";
        /** EventPage */
        EventPage: {
            /** Items */
            items: (components["schemas"]["ProjectAddedEvent"] | components["schemas"]["ProjectChangedEvent"] | components["schemas"]["ProjectChecksChangedEvent"] | components["schemas"]["ProjectChecksAcceptedEvent"] | components["schemas"]["SessionCreatedEvent"] | components["schemas"]["SessionChangedEvent"] | components["schemas"]["WorkspaceHeldEvent"] | components["schemas"]["WorkspaceReleasedEvent"] | components["schemas"]["TaskStartedEvent"] | components["schemas"]["TaskMilestoneEvent"] | components["schemas"]["TaskAwaitingEvent"] | components["schemas"]["TaskCompletedEvent"] | components["schemas"]["TaskFailedEvent"] | components["schemas"]["TaskCancelledEvent"] | components["schemas"]["TaskRepliedEvent"] | components["schemas"]["TaskResumedEvent"] | components["schemas"]["TaskRolledBackEvent"] | components["schemas"]["TaskRollbackUndoneEvent"] | components["schemas"]["TaskRefRestoredEvent"] | components["schemas"]["TaskCommittedEvent"] | components["schemas"]["TaskVerifiedEvent"] | components["schemas"]["TaskFindingsEvent"] | components["schemas"]["TaskDoubtAcceptedEvent"] | components["schemas"]["TaskStuckEvent"] | components["schemas"]["TaskAppliedEvent"] | components["schemas"]["TaskDiscardedEvent"] | components["schemas"]["AttemptStartedEvent"] | components["schemas"]["AttemptFinishedEvent"] | components["schemas"]["StepStartedEvent"] | components["schemas"]["StepFinishedEvent"] | components["schemas"]["StepToolStartedEvent"] | components["schemas"]["StepToolFinishedEvent"] | components["schemas"]["QuestionAskedEvent"] | components["schemas"]["QuestionAnsweredEvent"] | components["schemas"]["PermissionAskedEvent"] | components["schemas"]["PermissionDecidedEvent"] | components["schemas"]["PermissionRevokedEvent"] | components["schemas"]["SteeringQueuedEvent"] | components["schemas"]["SteeringHandedEvent"] | components["schemas"]["SteeringDeliveredEvent"] | components["schemas"]["SteeringTakenBackEvent"] | components["schemas"]["SteeringReturnedEvent"] | components["schemas"]["AgentDeniedEvent"] | components["schemas"]["AgentFreshEvent"] | components["schemas"]["GuardTimeoutEvent"] | components["schemas"]["GuardAbsentEvent"] | components["schemas"]["GuardStraysEvent"] | components["schemas"]["GuardBreakerEvent"] | components["schemas"]["GuardLimitEvent"] | components["schemas"]["GuardBudgetEvent"] | components["schemas"]["GuardDecidedEvent"] | components["schemas"]["RunnerStartedEvent"] | components["schemas"]["RunnerStoppedEvent"] | components["schemas"]["RunnerOperationStartedEvent"] | components["schemas"]["RunnerOperationFinishedEvent"] | components["schemas"]["StorageMirrorRebuiltEvent"] | components["schemas"]["StorageRestoredEvent"] | components["schemas"]["WorkbenchCalledEvent"] | components["schemas"]["UsageRecordedEvent"] | components["schemas"]["UsageModelDiffersEvent"] | components["schemas"]["ContextFilledEvent"] | components["schemas"]["ContextCompactedEvent"] | components["schemas"]["SettingsChangedEvent"])[];
            /** Next Since */
            next_since: number;
            /** More */
            more: boolean;
        };
        /** FileChangeOut */
        FileChangeOut: {
            /** Path */
            path: string;
            /** Old Path */
            old_path: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "added" | "modified" | "deleted" | "renamed" | "type";
            /** Insertions */
            insertions: number | null;
            /** Deletions */
            deletions: number | null;
            /**
             * Binary
             * @default false
             */
            binary: boolean;
        };
        /**
         * FindingOut
         * @description A doubt, by the name that it has in the log and over HTTP.
         */
        FindingOut: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            kind: components["schemas"]["DoubtKind"];
            /** Path */
            path: string;
            /** Message */
            message: string;
            /** Line */
            line: number | null;
            /**
             * Name
             * @default
             */
            name: string;
            /**
             * Id
             * @default
             */
            id?: string;
            severity?: components["schemas"]["Severity"] | null;
        };
        /** FormQuestion */
        FormQuestion: {
            /** Id */
            id: string;
            /** Text */
            text: string;
            /** Header */
            header: string;
            /**
             * Kind
             * @description single_choice, multi_choice, text or confirmation.
             */
            kind: string;
            /** Options */
            options: components["schemas"]["OptionOut"][];
            /**
             * Several
             * @description Whether more than one option may be chosen.
             */
            several: boolean;
        };
        /** GrantList */
        GrantList: {
            /** Items */
            items: components["schemas"]["GrantOut"][];
        };
        /**
         * GrantOut
         * @description Something that was allowed for the rest of a session.
         */
        GrantOut: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Tool */
            tool: string;
            /** Detail */
            detail: string;
            /**
             * Granted At
             * Format: date-time
             */
            granted_at: string;
        };
        /**
         * GuardAbsent
         * @description The program is gone and nothing was heard for as long as the setting allows.
         */
        GuardAbsent: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Silent Seconds */
            silent_seconds: number;
        };
        /** GuardAbsentEvent */
        GuardAbsentEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guard.absent";
            data: components["schemas"]["GuardAbsent"];
        };
        /**
         * GuardBreaker
         * @description The circuit breaker changed its state, or warned: then `state` is as it was.
         */
        GuardBreaker: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /**
             * State
             * @enum {string}
             */
            state: "CLOSED" | "HALF_OPEN" | "OPEN";
            /** Trigger */
            trigger: string;
            /** Reason */
            reason: string;
        };
        /** GuardBreakerEvent */
        GuardBreakerEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guard.breaker";
            data: components["schemas"]["GuardBreaker"];
        };
        /** GuardBudget */
        GuardBudget: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "money" | "tokens" | "time";
            /**
             * Scope
             * @enum {string}
             */
            scope: "task" | "session";
            /** Spent */
            spent: number;
            /** Limit */
            limit: number;
        };
        /** GuardBudgetEvent */
        GuardBudgetEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guard.budget";
            data: components["schemas"]["GuardBudget"];
        };
        /**
         * GuardDecided
         * @description What the person decided about a task that a guard holds.
         */
        GuardDecided: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Choice */
            choice: string;
            /** Amount */
            amount: number | null;
        };
        /** GuardDecidedEvent */
        GuardDecidedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guard.decided";
            data: components["schemas"]["GuardDecided"];
        };
        /** GuardLimit */
        GuardLimit: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "hourly" | "provider";
            /** Until */
            until: string | null;
            /**
             * Message
             * @default
             */
            message: string;
        };
        /** GuardLimitEvent */
        GuardLimitEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guard.limit";
            data: components["schemas"]["GuardLimit"];
        };
        /** GuardStrays */
        GuardStrays: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Ended */
            ended: string[];
            /**
             * Remaining
             * @default []
             */
            remaining: string[];
        };
        /** GuardStraysEvent */
        GuardStraysEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guard.strays";
            data: components["schemas"]["GuardStrays"];
        };
        /** GuardTimeout */
        GuardTimeout: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /**
             * Limit
             * @enum {string}
             */
            limit: "idle" | "hard";
            /** Seconds */
            seconds: number;
        };
        /** GuardTimeoutEvent */
        GuardTimeoutEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "guard.timeout";
            data: components["schemas"]["GuardTimeout"];
        };
        /** HealthOut */
        HealthOut: {
            /**
             * Status
             * @enum {string}
             */
            status: "healthy" | "degraded";
            /** Version */
            version: string;
            /** Uptime */
            uptime: number;
            /** Checks */
            checks: {
                [key: string]: boolean;
            };
            /**
             * Problems
             * @description What is wrong, by code; the errors of the same name say what to do.
             */
            problems: string[];
        };
        /** HoldIn */
        HoldIn: {
            /**
             * Reason
             * @default
             */
            reason?: string;
        };
        /** InstructionsOut */
        InstructionsOut: {
            /** Path */
            path: string;
            /**
             * Level
             * @enum {string}
             */
            level: "global" | "project";
            /**
             * Size
             * @description Bytes in the file.
             */
            size: number;
            /**
             * Sha256
             * @description Of the whole file; empty where it was not read.
             */
            sha256: string;
            /**
             * Included
             * @description How many bytes of it the agent got.
             */
            included: number;
            /**
             * Note
             * @description Why it was left out or cut, in words.
             */
            note: string;
        };
        /**
         * Kind
         * @enum {string}
         */
        Kind: "question" | "permission" | "blocker" | "proposal" | "interrupted" | "usage_limit" | "budget" | "breaker" | "stuck" | "error" | "finished";
        /**
         * LimitOut
         * @description A limit the task waits for.
         */
        LimitOut: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "hourly" | "provider";
            /** Message */
            message: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Until */
            until: string | null;
            /**
             * Waiting
             * @description Whether it goes on by itself at `until`.
             */
            waiting: boolean;
        };
        /** LinkOut */
        LinkOut: {
            /**
             * Token
             * @description The part of a login link behind `#token=`.
             */
            token: string;
        };
        /** LoginIn */
        LoginIn: {
            /** Token */
            token: string;
        };
        /** LoopOut */
        LoopOut: {
            /**
             * Total
             * @description Verifications so far.
             */
            total: number;
            /**
             * Of
             * @default 12
             */
            of: number;
            /** Replans */
            replans: number;
        };
        /** MessageIn */
        MessageIn: {
            /**
             * Budget Usd
             * @description Dollars; null leaves it to the settings.
             */
            budget_usd?: number | null;
            /**
             * Budget Tokens
             * @description Tokens, without those from the cache.
             */
            budget_tokens?: number | null;
            /**
             * Budget Minutes
             * @description Minutes that agents and checks may work.
             */
            budget_minutes?: number | null;
            /** Text */
            text: string;
            /**
             * Constraints
             * @default []
             */
            constraints?: string[];
            /**
             * Non Goals
             * @default []
             */
            non_goals?: string[];
            /**
             * Boundaries
             * @default []
             */
            boundaries?: string[];
            /**
             * Timeout Profile
             * @default standard
             * @enum {string}
             */
            timeout_profile?: "standard" | "long" | "extended";
            /** Agent */
            agent?: string | null;
            /**
             * Model
             * @description As the agent calls it; null leaves it to what is chosen for it.
             */
            model?: string | null;
            /**
             * Effort
             * @description How hard the model thinks, where the agent has that.
             */
            effort?: string | null;
            /**
             * Dry Run
             * @description Propose a diff and write nothing until it is applied.
             * @default false
             */
            dry_run?: boolean;
            /**
             * Auto Fix
             * @description Roll back by itself when it ends STUCK or ERROR.
             * @default false
             */
            auto_fix?: boolean;
            /**
             * Scouts
             * @description Ask read-only scouts first; null leaves it to agent.yaml.
             */
            scouts?: boolean | null;
            /**
             * @description What the agent may do without asking: nothing, edit files, everything.
             * @default edits
             */
            permission_mode?: components["schemas"]["PermissionMode"];
            /**
             * From Stuck
             * @description The stuck task whose report this one starts from.
             */
            from_stuck?: string | null;
        };
        /**
         * MovedOut
         * @description A branch, a tag or a stash that was moved or dropped since the task began.
         */
        MovedOut: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "branch" | "tag" | "stash";
            /**
             * Name
             * @description Of a stash, its message.
             */
            name: string;
            /**
             * Then
             * @description The commit, or the annotated tag, that it was.
             */
            then: string;
            /**
             * Now
             * @description What it is now; null where it is gone.
             */
            now: string | null;
        };
        /** NoteOut */
        NoteOut: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "denied" | "fresh";
            /** Text */
            text: string;
            /** Attempt */
            attempt: number;
            /** Step Id */
            step_id: string;
        };
        /**
         * NoticeOut
         * @description Something the person must know about the installation itself.
         */
        NoticeOut: {
            /** Id */
            id: string;
            /** Code */
            code: string;
            /** Message */
            message: string;
            /**
             * Details
             * @default []
             */
            details: string[];
            /**
             * At
             * Format: date-time
             */
            at: string;
        };
        /** NotificationsIn */
        NotificationsIn: {
            /** Kinds */
            kinds: components["schemas"]["Kind"][];
            /** Browser */
            browser: boolean;
            /** Desktop */
            desktop: boolean;
            /** Channels */
            channels: components["schemas"]["ChannelIn"][];
            /**
             * Quiet From
             * @description Of the machine's own day; both or neither.
             */
            quiet_from?: string | null;
            /** Quiet Until */
            quiet_until?: string | null;
            /**
             * Batch Seconds
             * @description What happens within so long is told together.
             * @default 5
             */
            batch_seconds?: number;
        };
        /** NotificationsOut */
        NotificationsOut: {
            /**
             * Kinds
             * @description What is told.
             */
            kinds: components["schemas"]["Kind"][];
            /** Browser */
            browser: boolean;
            /** Desktop */
            desktop: boolean;
            desktop_status: components["schemas"]["DesktopOut"];
            /** Channels */
            channels: components["schemas"]["ChannelOut"][];
            /** Quiet From */
            quiet_from: string | null;
            /** Quiet Until */
            quiet_until: string | null;
            /** Batch Seconds */
            batch_seconds: number;
        };
        /** OkOut */
        OkOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
        };
        /**
         * OperationKind
         * @enum {string}
         */
        OperationKind: "run" | "stop" | "build" | "restart";
        /** OperationOut */
        OperationOut: {
            /** Operation Id */
            operation_id: string;
            kind: components["schemas"]["OperationKind"];
            /** Project Id */
            project_id: string | null;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Finished At */
            finished_at: string | null;
            /** @description Not set while it is under way. */
            outcome: components["schemas"]["OperationOutcome"] | null;
            /** Cause */
            cause: string;
            /** Duration Ms */
            duration_ms: number | null;
            /**
             * Phases
             * @description All it has, in order.
             */
            phases: components["schemas"]["PhaseOut"][];
            /** Cancellable */
            cancellable: boolean;
        };
        /**
         * OperationOutcome
         * @enum {string}
         */
        OperationOutcome: "done" | "failed" | "cancelled" | "cut_short";
        /** OperationOutput */
        OperationOutput: {
            /** Operation Id */
            operation_id: string;
            /** Offset */
            offset: number;
            /** Text */
            text: string;
            /** Next Offset */
            next_offset: number;
            /** Total */
            total: number;
            /** Live */
            live: boolean;
        };
        /** Option */
        Option: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Value */
            value: string;
            /** Label */
            label: string;
            /**
             * Recommended
             * @default false
             */
            recommended: boolean;
        };
        /** OptionOut */
        OptionOut: {
            /** Value */
            value: string;
            /** Label */
            label: string;
            /**
             * Recommended
             * @default false
             */
            recommended: boolean;
        };
        /** OutputPage */
        OutputPage: {
            /** Task Id */
            task_id: string;
            /** Attempt */
            attempt: number;
            /** Offset */
            offset: number;
            /** Text */
            text: string;
            /**
             * Next Offset
             * @description Where the next page begins; equals `total` at the end.
             */
            next_offset: number;
            /** Total */
            total: number;
            /**
             * Live
             * @description More may come.
             */
            live: boolean;
        };
        /** PermissionAsked */
        PermissionAsked: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Tool */
            tool: string;
            /** Detail */
            detail: string;
            /**
             * Grant
             * @default
             */
            grant: string;
        };
        /** PermissionAskedEvent */
        PermissionAskedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "permission.asked";
            data: components["schemas"]["PermissionAsked"];
        };
        /** PermissionDecided */
        PermissionDecided: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Tool */
            tool: string;
            /** Detail */
            detail: string;
            /**
             * Choice
             * @enum {string}
             */
            choice: "once" | "session" | "deny";
            /**
             * Reason
             * @default
             */
            reason: string;
            /**
             * Replayed
             * @default false
             */
            replayed: boolean;
        };
        /** PermissionDecidedEvent */
        PermissionDecidedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "permission.decided";
            data: components["schemas"]["PermissionDecided"];
        };
        /** PermissionDecisionOut */
        PermissionDecisionOut: {
            /**
             * Choice
             * @enum {string}
             */
            choice: "once" | "session" | "deny";
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Tool */
            tool: string;
            /** Detail */
            detail: string;
            /** Reason */
            reason: string;
            /** Attempt */
            attempt: number;
            /** Replayed */
            replayed: boolean;
        };
        /** PermissionIn */
        PermissionIn: {
            /**
             * Decision
             * @enum {string}
             */
            decision: "once" | "session" | "deny";
            /**
             * Reason
             * @description Told to the agent, when it is refused.
             * @default
             */
            reason?: string;
            /**
             * Attempt
             * @description Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted.
             */
            attempt?: number | null;
        };
        /**
         * PermissionMode
         * @description What an agent may do without asking.
         * @enum {string}
         */
        PermissionMode: "ask" | "edits" | "all";
        /** PermissionOut */
        PermissionOut: {
            /** Tool */
            tool: string;
            /** Detail */
            detail: string;
            /** Arguments */
            arguments: {
                [key: string]: unknown;
            };
            /**
             * Grant
             * @description What “always in this session” would allow.
             */
            grant: string;
        };
        /**
         * PermissionRevoked
         * @description What was allowed for the rest of a session is asked for again.
         */
        PermissionRevoked: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Grant Id */
            grant_id: string;
            /** Grant */
            grant: string;
        };
        /** PermissionRevokedEvent */
        PermissionRevokedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "permission.revoked";
            data: components["schemas"]["PermissionRevoked"];
        };
        /**
         * Phase
         * @enum {string}
         */
        Phase: "build" | "stop" | "start";
        /** PhaseOut */
        PhaseOut: {
            phase: components["schemas"]["Phase"];
            /**
             * Started At
             * @description Not set while it has not begun.
             */
            started_at: string | null;
            /** Finished At */
            finished_at: string | null;
            /**
             * Note
             * @default
             */
            note: string;
        };
        /** PinOut */
        PinOut: {
            /** @description Null until a message is sent while there are checks. */
            pinned: components["schemas"]["PinnedOut"] | null;
            /** Differences */
            differences: components["schemas"]["DifferenceOut"][];
            /**
             * Seen
             * @description Names the present state, to be accepted.
             */
            seen: string;
        };
        /**
         * PinnedOut
         * @description The checks as a person accepted them last.
         */
        PinnedOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Reason
             * @description Empty where the first message was sent with these checks before the person.
             */
            reason: string;
            /** Checks */
            checks: components["schemas"]["CheckOut"][];
            /**
             * Files
             * @description What they rest on: runner configuration, scripts.
             */
            files: string[];
        };
        /** Preferences */
        Preferences: {
            agents: components["schemas"]["AgentPreferences-Output"];
            confinement: components["schemas"]["ConfinementPreferences-Output"];
            warm: components["schemas"]["WarmPreferences-Output"];
            budgets: components["schemas"]["BudgetPreferences-Output"];
        };
        /** PrepareOut */
        PrepareOut: {
            /**
             * Prepared
             * @description Whether an agent was asked to get ready.
             */
            prepared: boolean;
        };
        /**
         * PreviewOut
         * @description What a rollback would take away now, or an undo change, and how that is done.
         */
        PreviewOut: {
            /** Files */
            files: components["schemas"]["FileChangeOut"][];
            /** Files Changed */
            files_changed: number;
            /** Insertions */
            insertions: number;
            /** Deletions */
            deletions: number;
            /**
             * Commits
             * @description Commits that would no longer be on the branch, newest first.
             * @default []
             */
            commits: string[];
            /** Branch Then */
            branch_then: string | null;
            /** Branch Now */
            branch_now: string | null;
            /**
             * Lost
             * @description Repositories that are gone, broken or replaced, in words.
             * @default []
             */
            lost: string[];
            /**
             * How
             * @description A checkpoint is restored, or written over what others changed since, or neither.
             * @default restore
             * @enum {string}
             */
            how: "restore" | "over" | "nothing";
            /**
             * Merge
             * @description Names what is written over; the request repeats it to confirm that.
             */
            merge: string | null;
            /**
             * Merged
             * @description Whether files are merged that others changed, too.
             * @default false
             */
            merged: boolean;
            /**
             * Clashes
             * @description Files in the way. With any, nothing can be done.
             * @default []
             */
            clashes: components["schemas"]["ClashOut"][];
            /**
             * Patch
             * @description Of what is written over.
             * @default
             */
            patch: string;
            /**
             * Truncated
             * @default false
             */
            truncated: boolean;
            /**
             * Moved
             * @description What a rollback leaves alone; `bring-back` sets one of these to what it was.
             * @default []
             */
            moved: components["schemas"]["MovedOut"][];
        };
        /** ProblemOut */
        ProblemOut: {
            /** Line */
            line: number;
            /** Column */
            column: number;
            /** Message */
            message: string;
            /** Suggestion */
            suggestion: string;
        };
        /** ProjectAdded */
        ProjectAdded: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Project Id */
            project_id: string;
            /** Path */
            path: string;
            /** Name */
            name: string;
        };
        /** ProjectAddedEvent */
        ProjectAddedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.added";
            data: components["schemas"]["ProjectAdded"];
        };
        /** ProjectChanged */
        ProjectChanged: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Project Id */
            project_id: string;
            /** Agent */
            agent: string | null;
        };
        /** ProjectChangedEvent */
        ProjectChangedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.changed";
            data: components["schemas"]["ProjectChanged"];
        };
        /**
         * ProjectChecksAccepted
         * @description A person takes the checks as they are from now on.
         */
        ProjectChecksAccepted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Project Id */
            project_id: string;
            /** Reason */
            reason: string;
            /** Checks */
            checks: string[];
            /** Files */
            files: string[];
        };
        /** ProjectChecksAcceptedEvent */
        ProjectChecksAcceptedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.checks_accepted";
            data: components["schemas"]["ProjectChecksAccepted"];
        };
        /** ProjectChecksChanged */
        ProjectChecksChanged: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Project Id */
            project_id: string;
            /** Checks */
            checks: string[] | null;
        };
        /** ProjectChecksChangedEvent */
        ProjectChecksChangedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.checks_changed";
            data: components["schemas"]["ProjectChecksChanged"];
        };
        /** ProjectIn */
        ProjectIn: {
            /** Path */
            path: string;
        };
        /** ProjectList */
        ProjectList: {
            /** Items */
            items: components["schemas"]["ProjectOut"][];
        };
        /** ProjectOut */
        ProjectOut: {
            /** Id */
            id: string;
            /** Path */
            path: string;
            /** Name */
            name: string;
            /** Agent */
            agent: string | null;
            /** Sample */
            sample: boolean;
            /**
             * Added At
             * Format: date-time
             */
            added_at: string;
            /** @description Its own directory. */
            workspace: components["schemas"]["WorkspaceOut"];
            /**
             * Workspaces
             * @description All of them: its own directory, and worktrees.
             */
            workspaces: components["schemas"]["WorkspaceOut"][];
            /** Sessions */
            sessions: number;
            /** Branch */
            branch: string | null;
            /**
             * Problem
             * @description Why the project cannot be used now, with what to do.
             */
            problem: string | null;
            /**
             * Suggestions
             * @default []
             */
            suggestions: components["schemas"]["SuggestionOut"][];
        };
        /** ProjectPatch */
        ProjectPatch: {
            /**
             * Agent
             * @description Who works here unless something nearer names another.
             */
            agent: string | null;
        };
        /**
         * Purpose
         * @description What a task is for. Each has one course, the order of its steps.
         * @enum {string}
         */
        Purpose: "change" | "propose" | "ask";
        /** QuestionAnswered */
        QuestionAnswered: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Sessionid */
            sessionId: string;
            /** Questionid */
            questionId: string;
            /** Answer */
            answer: string;
            /**
             * Replayed
             * @default false
             */
            replayed: boolean;
        };
        /** QuestionAnsweredEvent */
        QuestionAnsweredEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "question.answered";
            data: components["schemas"]["QuestionAnswered"];
        };
        /** QuestionAsked */
        QuestionAsked: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Sessionid */
            sessionId: string;
            /** Questionid */
            questionId: string;
            /**
             * Kind
             * @description single_choice, multi_choice, text or confirmation
             * @default text
             */
            kind: string;
            /** Text */
            text: string;
            /**
             * Options
             * @default []
             */
            options: components["schemas"]["Option"][];
            /**
             * Required
             * @default true
             */
            required: boolean;
            /**
             * Header
             * @default
             */
            header: string;
        };
        /** QuestionAskedEvent */
        QuestionAskedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "question.asked";
            data: components["schemas"]["QuestionAsked"];
        };
        /** QueueItem */
        QueueItem: {
            /** Task Id */
            task_id: string;
            /** Session Id */
            session_id: string;
            /** Session Slug */
            session_slug: string;
            /** Session Title */
            session_title: string;
            /** Prompt */
            prompt: string;
            /** Agent */
            agent: string;
            status: components["schemas"]["TaskStatus"];
            awaiting: components["schemas"]["Awaiting"] | null;
            /** Position */
            position: number;
            /** Waits For */
            waits_for: string;
            /**
             * Submitted At
             * Format: date-time
             */
            submitted_at: string;
        };
        /** QueueList */
        QueueList: {
            /** Items */
            items: components["schemas"]["QueueOut"][];
        };
        /** QueueOut */
        QueueOut: {
            /** Workspace Id */
            workspace_id: string;
            /** Project Id */
            project_id: string;
            /** Path */
            path: string;
            /** Held */
            held: boolean;
            /** Held Reason */
            held_reason: string;
            running: components["schemas"]["QueueItem"] | null;
            /** @description The waiting task whose changes hold the workspace. */
            holder: components["schemas"]["QueueItem"] | null;
            /**
             * Ways Out
             * @description What frees it.
             * @default []
             */
            ways_out: components["schemas"]["Action"][];
            /** Items */
            items: components["schemas"]["QueueItem"][];
        };
        /** ReplyEntry */
        ReplyEntry: {
            /** Content */
            content: string;
            /**
             * Timestamp
             * Format: date-time
             */
            timestamp: string;
            /**
             * Question
             * @default
             */
            question: string;
            /** Attempt */
            attempt: number;
            /**
             * Replayed
             * @default false
             */
            replayed: boolean;
        };
        /** ReplyIn */
        ReplyIn: {
            /**
             * Reply
             * @description Up to 100,000 characters; not blank.
             */
            reply: string;
            /**
             * Attempt
             * @description Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted.
             */
            attempt?: number | null;
        };
        /** ReplyOut */
        ReplyOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
            /** Task Id */
            task_id: string;
            old_status: components["schemas"]["TaskStatus"];
            new_status: components["schemas"]["TaskStatus"];
        };
        /** ResumeIn */
        ResumeIn: {
            /** @default rollback */
            mode?: components["schemas"]["ResumeMode"];
            /**
             * Attempt
             * @description Which `attempt` was looked at; 409 where the task has gone on. The present one if omitted.
             */
            attempt?: number | null;
        };
        /**
         * ResumeMode
         * @enum {string}
         */
        ResumeMode: "rollback" | "soft";
        /** ResumeOptions */
        ResumeOptions: {
            /** Happened */
            happened: string;
            /** @default rollback */
            default: components["schemas"]["ResumeMode"];
            /** Why */
            why: string;
            /** Saved */
            saved: components["schemas"]["SavedPart"][];
            /** Soft Available */
            soft_available: boolean;
            /** Soft Problem */
            soft_problem: string | null;
            /** @description What a rollback would take away. */
            takes_away: components["schemas"]["PreviewOut"];
            /**
             * Replies
             * @description Recorded replies that a replay brings back.
             */
            replies: number;
        };
        /** ResumeOut */
        ResumeOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
            /** Task Id */
            task_id: string;
            mode: components["schemas"]["ResumeMode"];
            /** Attempt */
            attempt: number;
            new_status: components["schemas"]["TaskStatus"];
        };
        /** RollbackIn */
        RollbackIn: {
            /**
             * Merge
             * @description The `merge` of a preview or of a `merge_needed` answer, to confirm that.
             */
            merge?: string | null;
        };
        /** RollbackOut */
        RollbackOut: {
            /**
             * Success
             * @default true
             */
            success: boolean;
            /**
             * Rollback Id
             * @description What Undo takes; null where there is nothing to undo.
             */
            rollback_id: string | null;
            took_away: components["schemas"]["StatOut"];
            /**
             * Other Branches
             * @description Other branches, tags and stashes that moved; they were left alone.
             * @default []
             */
            other_branches: string[];
            /**
             * Lost
             * @description Repositories that were made again, and what had become of them.
             * @default []
             */
            lost: string[];
            /**
             * Nothing To Do
             * @description The tree is like that already; what can be undone stays so.
             * @default false
             */
            nothing_to_do: boolean;
        };
        /** RunList */
        RunList: {
            /**
             * Items
             * @description Newest first.
             */
            items: components["schemas"]["RunSummary"][];
        };
        /** RunLogPage */
        RunLogPage: {
            /** Run Id */
            run_id: string;
            /** Check */
            check: string;
            /** Offset */
            offset: number;
            /** Text */
            text: string;
            /**
             * Next Offset
             * @description Where the next page begins; equals `total` at the end.
             */
            next_offset: number;
            /** Total */
            total: number;
        };
        /** RunOut */
        RunOut: {
            /** Run Id */
            run_id: string;
            /** Task Id */
            task_id: string;
            /** Attempt */
            attempt: number;
            /** Step Id */
            step_id: string;
            purpose: components["schemas"]["RunPurpose"];
            /**
             * Loop
             * @description Which verification of the task this is, from 1; 0 where it consumed none.
             */
            loop: number;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * Finished At
             * Format: date-time
             */
            finished_at: string;
            result: components["schemas"]["RunResult"];
            /**
             * Commit
             * @description HEAD while it ran.
             */
            commit: string | null;
            /**
             * Tree
             * @description Hash of the files it ran against.
             */
            tree: string;
            /** Checks */
            checks: components["schemas"]["CheckOutcomeOut"][];
            /** First Failing Line */
            first_failing_line: string;
            /** Log Path */
            log_path: string;
            /**
             * Kept
             * @description Never cleaned up: a stuck report refers to it.
             */
            kept: boolean;
            /**
             * Tail
             * @description The last 200 lines of the combined log, colours included.
             */
            tail: string;
        };
        /**
         * RunPurpose
         * @enum {string}
         */
        RunPurpose: "verify" | "base_tests" | "pinned";
        /**
         * RunResult
         * @enum {string}
         */
        RunResult: "PASS" | "FAIL" | "INFRASTRUCTURE";
        /** RunSummary */
        RunSummary: {
            /** Run Id */
            run_id: string;
            /** Task Id */
            task_id: string;
            /** Attempt */
            attempt: number;
            /** Step Id */
            step_id: string;
            purpose: components["schemas"]["RunPurpose"];
            /**
             * Loop
             * @description Which verification of the task this is, from 1; 0 where it consumed none.
             */
            loop: number;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /**
             * Finished At
             * Format: date-time
             */
            finished_at: string;
            result: components["schemas"]["RunResult"];
            /**
             * Commit
             * @description HEAD while it ran.
             */
            commit: string | null;
            /**
             * Tree
             * @description Hash of the files it ran against.
             */
            tree: string;
            /** Checks */
            checks: components["schemas"]["CheckOutcomeOut"][];
            /** First Failing Line */
            first_failing_line: string;
            /** Log Path */
            log_path: string;
            /**
             * Kept
             * @description Never cleaned up: a stuck report refers to it.
             */
            kept: boolean;
        };
        /** RunnerDetail */
        RunnerDetail: {
            /**
             * State
             * @enum {string}
             */
            state: "running" | "stopping" | "stopped";
            /** Boot Id */
            boot_id: string;
            /** Version */
            version: string;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Uptime Seconds */
            uptime_seconds: number;
            /** Running */
            running: number;
            /** Queued */
            queued: number;
            /** Pid */
            pid: number;
            /**
             * Since
             * Format: date-time
             * @description When this process began.
             */
            since: string;
            /**
             * Stop Wait Seconds
             * @description How long a stop waits for running tasks.
             */
            stop_wait_seconds: number;
            /** Tasks */
            tasks: components["schemas"]["RunningTask"][];
            /** @description The one under way, else the last. */
            operation: components["schemas"]["OperationOut"] | null;
            /** @description Whether the machine is kept from falling asleep while tasks run. */
            awake: components["schemas"]["AwakeOut"];
            /**
             * Build Problem
             * @description Why Pilothouse itself cannot be built here.
             */
            build_problem: string | null;
        };
        /** RunnerOperationFinished */
        RunnerOperationFinished: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Operation Id */
            operation_id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "run" | "stop" | "build" | "restart";
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "done" | "failed" | "cancelled" | "cut_short";
            /**
             * Phase
             * @enum {string}
             */
            phase: "build" | "stop" | "start";
            /**
             * Cause
             * @default
             */
            cause: string;
            /** Duration Ms */
            duration_ms: number;
        };
        /** RunnerOperationFinishedEvent */
        RunnerOperationFinishedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "runner.operation_finished";
            data: components["schemas"]["RunnerOperationFinished"];
        };
        /** RunnerOperationStarted */
        RunnerOperationStarted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Operation Id */
            operation_id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "run" | "stop" | "build" | "restart";
            /** Project Id */
            project_id: string | null;
        };
        /** RunnerOperationStartedEvent */
        RunnerOperationStartedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "runner.operation_started";
            data: components["schemas"]["RunnerOperationStarted"];
        };
        /** RunnerOut */
        RunnerOut: {
            /**
             * State
             * @enum {string}
             */
            state: "running" | "stopping" | "stopped";
            /** Boot Id */
            boot_id: string;
            /** Version */
            version: string;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Uptime Seconds */
            uptime_seconds: number;
            /** Running */
            running: number;
            /** Queued */
            queued: number;
        };
        /** RunnerStarted */
        RunnerStarted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Boot Id */
            boot_id: string;
            /** Version */
            version: string;
            /**
             * Interrupted
             * @default 0
             */
            interrupted: number;
        };
        /** RunnerStartedEvent */
        RunnerStartedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "runner.started";
            data: components["schemas"]["RunnerStarted"];
        };
        /** RunnerStopIn */
        RunnerStopIn: {
            /**
             * Reason
             * @default
             */
            reason?: string;
        };
        /** RunnerStopped */
        RunnerStopped: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Boot Id */
            boot_id: string;
            /** Reason */
            reason: string;
        };
        /** RunnerStoppedEvent */
        RunnerStoppedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "runner.stopped";
            data: components["schemas"]["RunnerStopped"];
        };
        /** RunningTask */
        RunningTask: {
            /** Task Id */
            task_id: string;
            /** Session Slug */
            session_slug: string;
            /** Session Title */
            session_title: string;
            /** Project Id */
            project_id: string;
            /** Milestone */
            milestone: string;
            /** Started At */
            started_at: string | null;
        };
        /**
         * SaidOut
         * @description How a text was made, for those who say it in other words. A parameter may be one of these, with its `text`.
         */
        SaidOut: {
            /** Code */
            code: string;
            /** Params */
            params: {
                [key: string]: unknown;
            };
        };
        /** SaveIn */
        SaveIn: {
            /**
             * Text
             * @description What agent.yaml shall hold.
             */
            text: string;
            /**
             * Seen
             * @description What it held when the person looked; null when there was none.
             */
            seen?: string | null;
        };
        /** SavedPart */
        SavedPart: {
            /**
             * Name
             * @enum {string}
             */
            name: "patch" | "step_log" | "failure_summary";
            /** Saved */
            saved: boolean;
            /** Detail */
            detail: string;
        };
        /** SentOut */
        SentOut: {
            /** Message Id */
            message_id: string;
            /** Text */
            text: string;
            state: components["schemas"]["SteerState"];
            /**
             * Sent At
             * Format: date-time
             */
            sent_at: string;
            /**
             * Can Take Back
             * @description Whether `take_back` is worth offering; the agent may still be faster.
             */
            can_take_back: boolean;
            /**
             * Can Send Now
             * @description Whether `now` would make the agent hear it sooner.
             */
            can_send_now: boolean;
        };
        /**
         * SessionChanged
         * @description Only what changed is set.
         */
        SessionChanged: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Title */
            title: string | null;
            /** Status */
            status: string | null;
            /** Archived */
            archived: boolean | null;
            /** Deleted */
            deleted: boolean | null;
            /** Budget */
            budget: {
                [key: string]: number | null;
            } | null;
        };
        /** SessionChangedEvent */
        SessionChangedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.changed";
            data: components["schemas"]["SessionChanged"];
        };
        /** SessionCreated */
        SessionCreated: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Project Id */
            project_id: string;
            /** Workspace Id */
            workspace_id: string;
            /** Slug */
            slug: string;
            /** Kind */
            kind: string;
            /** Title */
            title: string;
            /** Agent */
            agent: string | null;
        };
        /** SessionCreatedEvent */
        SessionCreatedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "session.created";
            data: components["schemas"]["SessionCreated"];
        };
        /** SessionIn */
        SessionIn: {
            /**
             * Budget Usd
             * @description Dollars; null leaves it to the settings.
             */
            budget_usd?: number | null;
            /**
             * Budget Tokens
             * @description Tokens, without those from the cache.
             */
            budget_tokens?: number | null;
            /**
             * Budget Minutes
             * @description Minutes that agents and checks may work.
             */
            budget_minutes?: number | null;
            /** Project Path */
            project_path: string;
            /** @default chat */
            kind?: components["schemas"]["SessionKind"];
            /**
             * Title
             * @description Without it, the first line of the message.
             */
            title?: string | null;
            /** Agent */
            agent?: string | null;
            /** @description The first message, so that both are made or neither. */
            message?: components["schemas"]["MessageIn"] | null;
        };
        /**
         * SessionKind
         * @enum {string}
         */
        SessionKind: "chat" | "feature" | "spec";
        /** SessionList */
        SessionList: {
            /** Items */
            items: components["schemas"]["SessionOut"][];
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Counts
             * @description Sessions per group, over all pages.
             * @default {}
             */
            counts: {
                [key: string]: number;
            };
        };
        /** SessionMade */
        SessionMade: {
            /** Id */
            id: string;
            /** Project Id */
            project_id: string;
            /** Project Path */
            project_path: string;
            /** Project Name */
            project_name: string;
            /** Workspace Id */
            workspace_id: string;
            /**
             * Workspace Path
             * @description The working tree it is about: the project's directory, or a worktree.
             */
            workspace_path: string;
            /**
             * Branch
             * @description Of a worktree; null in the project's directory.
             */
            branch: string | null;
            /** Slug */
            slug: string;
            kind: components["schemas"]["SessionKind"];
            /** Title */
            title: string;
            status: components["schemas"]["SessionStatus"];
            /** Agent */
            agent: string | null;
            /** Archived */
            archived: boolean;
            /** Deleted */
            deleted: boolean;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /**
             * Group
             * @enum {string}
             */
            group: "needs_you" | "running" | "queued" | "recent";
            /**
             * Current Task Id
             * @description The task the group comes from, else the newest.
             */
            current_task_id: string | null;
            task_status: components["schemas"]["TaskStatus"] | null;
            awaiting: components["schemas"]["Awaiting"] | null;
            verdict: components["schemas"]["Verdict"] | null;
            /**
             * Doubts
             * @description Serious doubts about the verdict that nobody accepted.
             * @default 0
             */
            doubts: number;
            /**
             * Doing
             * @description What it is doing, in words.
             * @default
             */
            doing: string;
            /**
             * Tasks
             * @default 0
             */
            tasks: number;
            /**
             * Cost Usd
             * @default 0
             */
            cost_usd: number;
            /** @description Left out in lists. */
            usage: components["schemas"]["SessionUsage"] | null;
            /** @description What the person set for the session; not in lists. */
            budgets: components["schemas"]["BudgetLimits"] | null;
            /** @description What counts against the session's budget; not in lists. */
            spent: components["schemas"]["SpentSoFar"] | null;
            /** @description Of the first message, queued or taken up; null without one. */
            task: components["schemas"]["TaskOut"] | null;
        };
        /** SessionOut */
        SessionOut: {
            /** Id */
            id: string;
            /** Project Id */
            project_id: string;
            /** Project Path */
            project_path: string;
            /** Project Name */
            project_name: string;
            /** Workspace Id */
            workspace_id: string;
            /**
             * Workspace Path
             * @description The working tree it is about: the project's directory, or a worktree.
             */
            workspace_path: string;
            /**
             * Branch
             * @description Of a worktree; null in the project's directory.
             */
            branch: string | null;
            /** Slug */
            slug: string;
            kind: components["schemas"]["SessionKind"];
            /** Title */
            title: string;
            status: components["schemas"]["SessionStatus"];
            /** Agent */
            agent: string | null;
            /** Archived */
            archived: boolean;
            /** Deleted */
            deleted: boolean;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
            /**
             * Group
             * @enum {string}
             */
            group: "needs_you" | "running" | "queued" | "recent";
            /**
             * Current Task Id
             * @description The task the group comes from, else the newest.
             */
            current_task_id: string | null;
            task_status: components["schemas"]["TaskStatus"] | null;
            awaiting: components["schemas"]["Awaiting"] | null;
            verdict: components["schemas"]["Verdict"] | null;
            /**
             * Doubts
             * @description Serious doubts about the verdict that nobody accepted.
             * @default 0
             */
            doubts: number;
            /**
             * Doing
             * @description What it is doing, in words.
             * @default
             */
            doing: string;
            /**
             * Tasks
             * @default 0
             */
            tasks: number;
            /**
             * Cost Usd
             * @default 0
             */
            cost_usd: number;
            /** @description Left out in lists. */
            usage: components["schemas"]["SessionUsage"] | null;
            /** @description What the person set for the session; not in lists. */
            budgets: components["schemas"]["BudgetLimits"] | null;
            /** @description What counts against the session's budget; not in lists. */
            spent: components["schemas"]["SpentSoFar"] | null;
        };
        /**
         * SessionPatch
         * @description What is given is changed. A budget of null lifts that limit, or leaves it to the settings.
         */
        SessionPatch: {
            /**
             * Budget Usd
             * @description Dollars; null leaves it to the settings.
             */
            budget_usd?: number | null;
            /**
             * Budget Tokens
             * @description Tokens, without those from the cache.
             */
            budget_tokens?: number | null;
            /**
             * Budget Minutes
             * @description Minutes that agents and checks may work.
             */
            budget_minutes?: number | null;
            /** Title */
            title?: string | null;
            /** Archived */
            archived?: boolean | null;
        };
        /**
         * SessionStatus
         * @enum {string}
         */
        SessionStatus: "active" | "waiting" | "paused" | "interrupted" | "completed" | "expired" | "error" | "rolled_back";
        /**
         * SessionUsage
         * @description Of spawns that have ended; what one that runs uses comes over the socket.
         */
        SessionUsage: {
            /** Spawns */
            spawns: number;
            /** Cost Usd */
            cost_usd: number;
            /**
             * Input Tokens
             * @description Read anew: neither from the cache nor into it.
             */
            input_tokens: number;
            /** Output Tokens */
            output_tokens: number;
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            /**
             * Cache Share
             * @description Part of what was read that came from the cache; null: nothing read.
             */
            cache_share: number | null;
            /**
             * Warnings
             * @description Models that answered in place of those asked for.
             */
            warnings: string[];
        };
        /** SettingsChanged */
        SettingsChanged: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Sections */
            sections: string[];
        };
        /** SettingsChangedEvent */
        SettingsChangedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "settings.changed";
            data: components["schemas"]["SettingsChanged"];
        };
        /** SettingsOut */
        SettingsOut: {
            preferences: components["schemas"]["Preferences"];
            /**
             * Unreadable
             * @description Sections whose stored text cannot be read: their defaults hold.
             */
            unreadable: string[];
            confinement: components["schemas"]["ConfinementOut"];
            /** Environment */
            environment: components["schemas"]["EnvironmentOut"][];
        };
        /**
         * SettingsPatch
         * @description Whole sections; one that is left out stays as it is.
         */
        SettingsPatch: {
            agents?: components["schemas"]["AgentPreferences-Input"] | null;
            confinement?: components["schemas"]["ConfinementPreferences-Input"] | null;
            warm?: components["schemas"]["WarmPreferences-Input"] | null;
            budgets?: components["schemas"]["BudgetPreferences-Input"] | null;
        };
        /**
         * Severity
         * @enum {string}
         */
        Severity: "serious" | "note";
        /**
         * SpawnOut
         * @description One run of the agent's program.
         */
        SpawnOut: {
            /** Agent */
            agent: string;
            /** Requested Model */
            requested_model: string | null;
            /**
             * Model
             * @description The one that wrote most; empty where the agent does not tell.
             */
            model: string;
            /** Models */
            models: string[];
            /** Model Differs */
            model_differs: boolean;
            /** Cost Usd */
            cost_usd: number;
            /** Input Tokens */
            input_tokens: number;
            /** Output Tokens */
            output_tokens: number;
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            context: components["schemas"]["ContextOut"] | null;
            /** Instructions */
            instructions: components["schemas"]["InstructionsOut"][];
        };
        /**
         * SpentOut
         * @description A budget that is used up.
         */
        SpentOut: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "money" | "tokens" | "time";
            /**
             * Scope
             * @enum {string}
             */
            scope: "task" | "session";
            /** Message */
            message: string;
            /** Spent */
            spent: number;
            /** Limit */
            limit: number;
        };
        /**
         * SpentSoFar
         * @description What was spent by now, also by runs that were cut off; what runs now as far as it was written.
         */
        SpentSoFar: {
            /** Usd */
            usd: number;
            /**
             * Tokens
             * @description Without those from the cache.
             */
            tokens: number;
            /** Minutes */
            minutes: number;
        };
        /** StatOut */
        StatOut: {
            /** Files */
            files: components["schemas"]["FileChangeOut"][];
            /** Files Changed */
            files_changed: number;
            /** Insertions */
            insertions: number;
            /** Deletions */
            deletions: number;
        };
        /**
         * StateOut
         * @description What the page needs first.
         */
        StateOut: {
            /** Version */
            version: string;
            /** Seq */
            seq: number;
            runner: components["schemas"]["RunnerOut"];
            /** Agents */
            agents: components["schemas"]["AgentOut"][];
            /** Notices */
            notices: components["schemas"]["NoticeOut"][];
            /** Lan */
            lan: boolean;
        };
        /** SteerActionIn */
        SteerActionIn: {
            /**
             * Action
             * @description Interrupt the turn for it, or take it back.
             * @enum {string}
             */
            action: "now" | "take_back";
        };
        /** SteerIn */
        SteerIn: {
            /** Text */
            text: string;
        };
        /** SteerOut */
        SteerOut: {
            /** Message Id */
            message_id: string;
            /** Text */
            text: string;
            state: components["schemas"]["SteerState"];
            /**
             * Sent At
             * Format: date-time
             */
            sent_at: string;
        };
        /**
         * SteerState
         * @enum {string}
         */
        SteerState: "waiting" | "handed" | "delivered" | "taken_back" | "returned";
        /** SteeringDelivered */
        SteeringDelivered: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Message Id */
            message_id: string;
            /** Text */
            text: string;
            /** Attempt */
            attempt: number;
            /**
             * In Prompt
             * @default false
             */
            in_prompt: boolean;
        };
        /** SteeringDeliveredEvent */
        SteeringDeliveredEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "steering.delivered";
            data: components["schemas"]["SteeringDelivered"];
        };
        /**
         * SteeringHanded
         * @description The run that is under way has it, which does not mean that the agent took it in.
         */
        SteeringHanded: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Message Id */
            message_id: string;
            /** Text */
            text: string;
            /**
             * In Prompt
             * @default false
             */
            in_prompt: boolean;
        };
        /** SteeringHandedEvent */
        SteeringHandedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "steering.handed";
            data: components["schemas"]["SteeringHanded"];
        };
        /** SteeringQueued */
        SteeringQueued: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Message Id */
            message_id: string;
            /** Text */
            text: string;
        };
        /** SteeringQueuedEvent */
        SteeringQueuedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "steering.queued";
            data: components["schemas"]["SteeringQueued"];
        };
        /**
         * SteeringReturned
         * @description The task ended before the agent took the message in.
         */
        SteeringReturned: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Message Id */
            message_id: string;
            /** Text */
            text: string;
        };
        /** SteeringReturnedEvent */
        SteeringReturnedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "steering.returned";
            data: components["schemas"]["SteeringReturned"];
        };
        /** SteeringTakenBack */
        SteeringTakenBack: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Message Id */
            message_id: string;
            /** Text */
            text: string;
        };
        /** SteeringTakenBackEvent */
        SteeringTakenBackEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "steering.taken_back";
            data: components["schemas"]["SteeringTakenBack"];
        };
        /** StepFinished */
        StepFinished: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Number */
            number: number;
            /** Kind */
            kind: string;
            /** Outcome */
            outcome: string;
            /**
             * Name
             * @default
             */
            name: string;
            /**
             * Detail
             * @default
             */
            detail: string;
            /** Run Id */
            run_id: string | null;
            /**
             * Duration Ms
             * @default 0
             */
            duration_ms: number;
            /**
             * Files Changed
             * @default 0
             */
            files_changed: number;
            /**
             * Insertions
             * @default 0
             */
            insertions: number;
            /**
             * Deletions
             * @default 0
             */
            deletions: number;
            /**
             * Cost Usd
             * @default 0
             */
            cost_usd: number;
        };
        /** StepFinishedEvent */
        StepFinishedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "step.finished";
            data: components["schemas"]["StepFinished"];
        };
        /**
         * StepKind
         * @enum {string}
         */
        StepKind: "scout" | "edit" | "verify" | "fix" | "replan" | "summarise" | "compact" | "ask" | "read";
        /** StepOut */
        StepOut: {
            /** Id */
            id: string;
            /** Attempt */
            attempt: number;
            /** Number */
            number: number;
            kind: components["schemas"]["StepKind"];
            /** Prompt */
            prompt: string;
            /** Outcome */
            outcome: string | null;
            /** Detail */
            detail: string;
            /** Exit Code */
            exit_code: number | null;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
            /** Finished At */
            finished_at: string | null;
            /** Output From */
            output_from: number;
            /** Output To */
            output_to: number;
            /** Files Changed */
            files_changed: number;
            /** Insertions */
            insertions: number;
            /** Deletions */
            deletions: number;
            /** Cost Usd */
            cost_usd: number;
            /**
             * Name
             * @description Which scout, or which check failed.
             */
            name: string;
            /**
             * Answer
             * @description What the spawn concluded: a diagnosis, a scout's answer, a summary.
             */
            answer: string;
            /**
             * Run Id
             * @description The verification run of a verify step.
             */
            run_id: string | null;
            /** @description What the agent used, and was told beside the prompt. */
            spawn: components["schemas"]["SpawnOut"] | null;
        };
        /** StepStarted */
        StepStarted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Number */
            number: number;
            /** Kind */
            kind: string;
            /**
             * Name
             * @default
             */
            name: string;
        };
        /** StepStartedEvent */
        StepStartedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "step.started";
            data: components["schemas"]["StepStarted"];
        };
        /** StepToolFinished */
        StepToolFinished: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Tool Id */
            tool_id: string;
            /** Name */
            name: string;
            /**
             * Detail
             * @default
             */
            detail: string;
            /**
             * Ok
             * @default true
             */
            ok: boolean;
            /** Exit Code */
            exit_code: number | null;
            /**
             * Duration Ms
             * @default 0
             */
            duration_ms: number;
        };
        /** StepToolFinishedEvent */
        StepToolFinishedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "step.tool_finished";
            data: components["schemas"]["StepToolFinished"];
        };
        /** StepToolStarted */
        StepToolStarted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Tool Id */
            tool_id: string;
            /** Name */
            name: string;
            /**
             * Detail
             * @default
             */
            detail: string;
        };
        /** StepToolStartedEvent */
        StepToolStartedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "step.tool_started";
            data: components["schemas"]["StepToolStarted"];
        };
        /** StorageMirrorRebuilt */
        StorageMirrorRebuilt: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Files */
            files: string[];
        };
        /** StorageMirrorRebuiltEvent */
        StorageMirrorRebuiltEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "storage.mirror_rebuilt";
            data: components["schemas"]["StorageMirrorRebuilt"];
        };
        /**
         * StorageOut
         * @description What Pilothouse keeps of a project, so that rollbacks can be done and undone.
         */
        StorageOut: {
            /** Checkpoints */
            checkpoints: number;
            /**
             * Bytes
             * @description An estimate of what the repository holds for checkpoints alone.
             */
            bytes: number;
            /**
             * Retention Days
             * @description How long the checkpoints of a finished session are kept.
             */
            retention_days: number;
        };
        /**
         * StorageRestored
         * @description The database was damaged and came back from a backup; `lost` says in words what is missing.
         */
        StorageRestored: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Backup */
            backup: string;
            /**
             * Backup At
             * Format: date-time
             */
            backup_at: string;
            /**
             * Lost
             * @default []
             */
            lost: string[];
        };
        /** StorageRestoredEvent */
        StorageRestoredEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "storage.restored";
            data: components["schemas"]["StorageRestored"];
        };
        /** StuckReportOut */
        StuckReportOut: {
            /** Task Id */
            task_id: string;
            /** Attempt */
            attempt: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Request */
            request: string;
            /** Hypotheses */
            hypotheses: string[];
            /**
             * Account
             * @description The agent's own words.
             */
            account: string;
            /** Runs */
            runs: components["schemas"]["StuckRunOut"][];
            /** Files */
            files: string[];
            /** Constraints */
            constraints: string[];
            /** Non Goals */
            non_goals: string[];
            /** Boundaries */
            boundaries: string[];
            /**
             * Reason
             * @description Why it was stopped before its loops were used up; empty where they were.
             */
            reason: string;
            /** Markdown */
            markdown: string;
        };
        /** StuckRunOut */
        StuckRunOut: {
            /** Run Id */
            run_id: string;
            /** Loop */
            loop: number;
            /** Check */
            check: string;
            /** First Failing Line */
            first_failing_line: string;
        };
        /** SuggestionOut */
        SuggestionOut: {
            /** Title */
            title: string;
            /** Prompt */
            prompt: string;
        };
        /**
         * TaskApplied
         * @description A dry run's proposal was written to the workspace.
         */
        TaskApplied: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Merged */
            merged: boolean;
            /** Files */
            files: number;
        };
        /** TaskAppliedEvent */
        TaskAppliedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.applied";
            data: components["schemas"]["TaskApplied"];
        };
        /** TaskAwaiting */
        TaskAwaiting: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Awaiting */
            awaiting: string;
            /** Reason */
            reason: string;
            /**
             * Holds Workspace
             * @default false
             */
            holds_workspace: boolean;
        };
        /** TaskAwaitingEvent */
        TaskAwaitingEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.awaiting";
            data: components["schemas"]["TaskAwaiting"];
        };
        /** TaskCancelled */
        TaskCancelled: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Old Status */
            old_status: string;
            /**
             * Holds
             * @default false
             */
            holds: boolean;
        };
        /** TaskCancelledEvent */
        TaskCancelledEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.cancelled";
            data: components["schemas"]["TaskCancelled"];
        };
        /** TaskCommitted */
        TaskCommitted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Commit */
            commit: string;
            /** Message */
            message: string;
            /** Files */
            files: number;
            /**
             * Project Id
             * @default
             */
            project_id: string;
            /**
             * Accepted
             * @default []
             */
            accepted: string[];
        };
        /** TaskCommittedEvent */
        TaskCommittedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.committed";
            data: components["schemas"]["TaskCommitted"];
        };
        /** TaskCompleted */
        TaskCompleted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Verdict */
            verdict: string;
            /** Summary */
            summary: string;
            /**
             * Files Changed
             * @default 0
             */
            files_changed: number;
            /**
             * Insertions
             * @default 0
             */
            insertions: number;
            /**
             * Deletions
             * @default 0
             */
            deletions: number;
            /**
             * Doubts
             * @default 0
             */
            doubts: number;
        };
        /** TaskCompletedEvent */
        TaskCompletedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.completed";
            data: components["schemas"]["TaskCompleted"];
        };
        /** TaskDiscarded */
        TaskDiscarded: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
        };
        /** TaskDiscardedEvent */
        TaskDiscardedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.discarded";
            data: components["schemas"]["TaskDiscarded"];
        };
        /**
         * TaskDoubtAccepted
         * @description A person looked at a doubt and says why it is all right.
         */
        TaskDoubtAccepted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Doubt */
            doubt: string;
            kind: components["schemas"]["DoubtKind"];
            /** Path */
            path: string;
            /** Reason */
            reason: string;
            /** Left */
            left: number;
        };
        /** TaskDoubtAcceptedEvent */
        TaskDoubtAcceptedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.doubt_accepted";
            data: components["schemas"]["TaskDoubtAccepted"];
        };
        /** TaskFailed */
        TaskFailed: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Error Kind */
            error_kind: string;
            /** Message */
            message: string;
        };
        /** TaskFailedEvent */
        TaskFailedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.failed";
            data: components["schemas"]["TaskFailed"];
        };
        /**
         * TaskFindings
         * @description What a person should see before they call the change done; replaces what was found before.
         */
        TaskFindings: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Findings */
            findings: components["schemas"]["FindingOut"][];
        };
        /** TaskFindingsEvent */
        TaskFindingsEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.findings";
            data: components["schemas"]["TaskFindings"];
        };
        /** TaskList */
        TaskList: {
            /** Items */
            items: components["schemas"]["TaskOut"][];
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * TaskMilestone
         * @description What is happening, in plain words; `code` lets a screen translate it.
         */
        TaskMilestone: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Code */
            code: string;
            /** Text */
            text: string;
            /** Current */
            current: number | null;
            /** Total */
            total: number | null;
        };
        /** TaskMilestoneEvent */
        TaskMilestoneEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.milestone";
            data: components["schemas"]["TaskMilestone"];
        };
        /** TaskOut */
        TaskOut: {
            /** Task Id */
            task_id: string;
            /** Session Id */
            session_id: string;
            /** Project Id */
            project_id: string;
            /** Session Slug */
            session_slug: string;
            /** Workspace Id */
            workspace_id: string;
            /** @description Whether it changes files, proposes a change, or only answers. */
            purpose: components["schemas"]["Purpose"];
            status: components["schemas"]["TaskStatus"];
            awaiting: components["schemas"]["Awaiting"] | null;
            verdict: components["schemas"]["Verdict"] | null;
            error_kind: components["schemas"]["ErrorKind"] | null;
            /** Error Message */
            error_message: string | null;
            /** Prompt */
            prompt: string;
            /** Constraints */
            constraints: string[];
            /** Non Goals */
            non_goals: string[];
            /** Boundaries */
            boundaries: string[];
            /** Agent */
            agent: string;
            /**
             * Model
             * @description As the message named it; null left it to what is chosen for the agent.
             */
            model: string | null;
            /** Effort */
            effort: string | null;
            /** Timeout Profile */
            timeout_profile: string;
            /** Dry Run */
            dry_run: boolean;
            /** Auto Fix */
            auto_fix: boolean;
            /** Scouts */
            scouts: boolean | null;
            /**
             * From Stuck
             * @description The stuck task whose report this one started from.
             */
            from_stuck: string | null;
            /**
             * Package
             * @description The target package, as agent.yaml named it when the task began.
             */
            package: string | null;
            loop: components["schemas"]["LoopOut"];
            /**
             * Run Id
             * @description The newest verification; after PASS the one that proves it.
             */
            run_id: string | null;
            /**
             * Checklist
             * @description The agent's own plan, as it ticks it off.
             */
            checklist: components["schemas"]["ChecklistItemOut"][];
            /**
             * Doubts
             * @description What to look at before calling it done; it belongs to the verdict.
             */
            doubts: components["schemas"]["DoubtOut"][];
            /** Output */
            output: string;
            /** Summary */
            summary: string;
            /**
             * Answer
             * @description What a task that only answers found, in the form asked for.
             */
            answer: {
                [key: string]: unknown;
            } | null;
            /** Question */
            question: string | null;
            /**
             * Options
             * @default []
             */
            options: components["schemas"]["OptionOut"][];
            /**
             * Form
             * @description What is asked now; several where the agent has a form.
             * @default []
             */
            form: components["schemas"]["FormQuestion"][];
            /**
             * Offer
             * @description What the agent offered to do next, once the work was done.
             * @default
             */
            offer: string;
            /**
             * Plan
             * @description The plan to approve, in Markdown.
             */
            plan: string | null;
            /** @description What the agent may not do yet. */
            permission: components["schemas"]["PermissionOut"] | null;
            /** @default edits */
            permission_mode: components["schemas"]["PermissionMode"];
            /**
             * Decisions
             * @description What was decided about permissions.
             * @default []
             */
            decisions: components["schemas"]["PermissionDecisionOut"][];
            /**
             * Steering
             * @description Messages that were sent while it ran.
             * @default []
             */
            steering: components["schemas"]["SentOut"][];
            /**
             * Notes
             * @description Tools that were refused, conversations begun anew.
             * @default []
             */
            notes: components["schemas"]["NoteOut"][];
            /** Milestone */
            milestone: string;
            /** Attempt */
            attempt: number;
            /** Reply History */
            reply_history: components["schemas"]["ReplyEntry"][];
            /**
             * Position
             * @description Place in the queue from 1, while queued.
             */
            position: number | null;
            /**
             * Waits For
             * @description What it waits for, in words, while queued.
             */
            waits_for: string | null;
            /** Holds Workspace */
            holds_workspace: boolean;
            /**
             * Repository
             * @description What became of the repository, if a rollback makes it again.
             */
            repository: string | null;
            /**
             * Actions
             * @description What a person may do now.
             */
            actions: components["schemas"]["Action"][];
            /**
             * Newest Of Workspace
             * @description Whether no other task changed files in its workspace since.
             */
            newest_of_workspace: boolean;
            /**
             * Rollback Id
             * @description The newest rollback that can be undone.
             */
            rollback_id: string | null;
            /**
             * Rollback Problem
             * @description Why the newest rollback could not be finished.
             */
            rollback_problem: string | null;
            /**
             * Rolled Back
             * @description Whether the tree is as that rollback left it, with no run since.
             * @default false
             */
            rolled_back: boolean;
            /** @description While a dry run awaits: the proof that it wrote nothing. */
            untouched: components["schemas"]["UntouchedOut"] | null;
            /** @description The newest commit of its changes, with no run since. */
            committed: components["schemas"]["CommittedOut"] | null;
            /** @description While it awaits `usage_limit`. */
            limit: components["schemas"]["LimitOut"] | null;
            /** @description While it awaits `budget`. */
            budget: components["schemas"]["SpentOut"] | null;
            /** @description While it awaits `breaker`. */
            breaker: components["schemas"]["BreakerOut"] | null;
            /**
             * Choices
             * @description What `decision` takes now.
             * @default []
             */
            choices: ("wait" | "retry" | "pause" | "close" | "override" | "more" | "replan" | "stop" | "reset")[];
            /** @description What the person set for this task. */
            budgets: components["schemas"]["BudgetLimits"];
            /** Files Changed */
            files_changed: number;
            /** Insertions */
            insertions: number;
            /** Deletions */
            deletions: number;
            /** Cost Usd */
            cost_usd: number;
            usage: components["schemas"]["TaskUsage"];
            /**
             * Worked Ms
             * @description What its attempts that are over took; waiting for a person is not in it.
             * @default 0
             */
            worked_ms: number;
            /**
             * Working Since
             * @description When the attempt that runs began.
             */
            working_since: string | null;
            /**
             * Submitted At
             * Format: date-time
             */
            submitted_at: string;
            /** Started At */
            started_at: string | null;
            /** Finished At */
            finished_at: string | null;
            /**
             * Updated At
             * Format: date-time
             */
            updated_at: string;
        };
        /**
         * TaskRefRestored
         * @description A person had a branch, a tag or a stash set to what it was when the task began.
         */
        TaskRefRestored: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /**
             * Kind
             * @enum {string}
             */
            kind: "branch" | "tag" | "stash";
            /** Name */
            name: string;
            /** Commit */
            commit: string;
            /** Was */
            was: string | null;
        };
        /** TaskRefRestoredEvent */
        TaskRefRestoredEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.ref_restored";
            data: components["schemas"]["TaskRefRestored"];
        };
        /** TaskReplied */
        TaskReplied: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Reply */
            reply: string;
            /**
             * Question
             * @default
             */
            question: string;
            /**
             * Replayed
             * @default false
             */
            replayed: boolean;
        };
        /** TaskRepliedEvent */
        TaskRepliedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.replied";
            data: components["schemas"]["TaskReplied"];
        };
        /** TaskResumed */
        TaskResumed: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Mode */
            mode: string;
        };
        /** TaskResumedEvent */
        TaskResumedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.resumed";
            data: components["schemas"]["TaskResumed"];
        };
        /** TaskRollbackUndone */
        TaskRollbackUndone: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Rollback Id */
            rollback_id: string;
            /** Checkpoint */
            checkpoint: string;
        };
        /** TaskRollbackUndoneEvent */
        TaskRollbackUndoneEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.rollback_undone";
            data: components["schemas"]["TaskRollbackUndone"];
        };
        /** TaskRolledBack */
        TaskRolledBack: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Rollback Id */
            rollback_id: string;
            /** Checkpoint */
            checkpoint: string;
            /** Undo */
            undo: string;
            /** Files */
            files: number;
            /** Insertions */
            insertions: number;
            /** Deletions */
            deletions: number;
            /**
             * Replay
             * @default false
             */
            replay: boolean;
            /**
             * Other Branches
             * @default []
             */
            other_branches: string[];
        };
        /** TaskRolledBackEvent */
        TaskRolledBackEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.rolled_back";
            data: components["schemas"]["TaskRolledBack"];
        };
        /**
         * TaskStarted
         * @description The first stored event of a task: until it is claimed, a task leaves no trace.
         */
        TaskStarted: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Prompt */
            prompt: string;
            /** Agent */
            agent: string;
            /** Workspace Id */
            workspace_id: string;
            /**
             * Submitted At
             * Format: date-time
             */
            submitted_at: string;
            /**
             * Constraints
             * @default []
             */
            constraints: string[];
            /**
             * Non Goals
             * @default []
             */
            non_goals: string[];
            /**
             * Boundaries
             * @default []
             */
            boundaries: string[];
            /**
             * Timeout Profile
             * @default standard
             */
            timeout_profile: string;
        };
        /** TaskStartedEvent */
        TaskStartedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.started";
            data: components["schemas"]["TaskStarted"];
        };
        /**
         * TaskStatus
         * @enum {string}
         */
        TaskStatus: "QUEUED" | "RUNNING" | "AWAITING_RESPONSE" | "COMPLETE" | "CANCELLED" | "STUCK" | "ERROR";
        /** TaskStuck */
        TaskStuck: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Loops */
            loops: number;
            /** Message */
            message: string;
            /** Run Ids */
            run_ids: string[];
        };
        /** TaskStuckEvent */
        TaskStuckEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.stuck";
            data: components["schemas"]["TaskStuck"];
        };
        /** TaskUsage */
        TaskUsage: {
            /** Spawns */
            spawns: number;
            /** Cost Usd */
            cost_usd: number;
            /**
             * Input Tokens
             * @description Read anew: neither from the cache nor into it.
             */
            input_tokens: number;
            /** Output Tokens */
            output_tokens: number;
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            /**
             * Cache Share
             * @description Part of what was read that came from the cache; null: nothing read.
             */
            cache_share: number | null;
            /**
             * Warnings
             * @description Models that answered in place of those asked for.
             */
            warnings: string[];
            /**
             * Models
             * @description Those that answered, newest last.
             */
            models: string[];
            /** @description How full the agent's memory is; null where it does not tell. */
            context: components["schemas"]["ContextOut"] | null;
        };
        /**
         * TaskVerified
         * @description The project's checks were run. `loop` is 0 where no loop was consumed.
         */
        TaskVerified: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Run Id */
            run_id: string;
            /**
             * Purpose
             * @default verify
             * @enum {string}
             */
            purpose: "verify" | "base_tests" | "pinned";
            /**
             * Result
             * @enum {string}
             */
            result: "PASS" | "FAIL" | "INFRASTRUCTURE";
            /** Loop */
            loop: number;
            /** Of */
            of: number;
            /**
             * Failing
             * @default
             */
            failing: string;
            /**
             * First Failing Line
             * @default
             */
            first_failing_line: string;
            /** Duration Ms */
            duration_ms: number;
        };
        /** TaskVerifiedEvent */
        TaskVerifiedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "task.verified";
            data: components["schemas"]["TaskVerified"];
        };
        /** TotalsOut */
        TotalsOut: {
            /** Spawns */
            spawns: number;
            /** Cost Usd */
            cost_usd: number;
            /**
             * Input Tokens
             * @description Read anew: neither from the cache nor into it.
             */
            input_tokens: number;
            /** Output Tokens */
            output_tokens: number;
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            /**
             * Cache Share
             * @description Part of what was read that came from the cache; null: nothing read.
             */
            cache_share: number | null;
        };
        /** TryIn */
        TryIn: {
            /**
             * Channel
             * @description “browser”, “desktop”, or a channel's id.
             */
            channel: string;
        };
        /** UndoIn */
        UndoIn: {
            /**
             * Merge
             * @description The `merge` of a preview or of a `merge_needed` answer, to confirm that.
             */
            merge?: string | null;
            /**
             * Rollback Id
             * @description The newest when omitted.
             */
            rollback_id?: string | null;
            /**
             * Exact
             * @description Restore all as it was then, and set aside what was done since.
             * @default false
             */
            exact?: boolean;
        };
        /** UntouchedOut */
        UntouchedOut: {
            /**
             * Before
             * @description Id of the tree of the workspace's files where the dry run began.
             */
            before: string;
            /**
             * After
             * @description The same where it ended; equal ids mean equal bytes.
             */
            after: string;
            /**
             * Meanwhile
             * @description Files that differ between the two: somebody else was at work.
             */
            meanwhile: string[];
        };
        /** UsageLine */
        UsageLine: {
            /** Spawns */
            spawns: number;
            /** Cost Usd */
            cost_usd: number;
            /**
             * Input Tokens
             * @description Read anew: neither from the cache nor into it.
             */
            input_tokens: number;
            /** Output Tokens */
            output_tokens: number;
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            /**
             * Cache Share
             * @description Part of what was read that came from the cache; null: nothing read.
             */
            cache_share: number | null;
            /**
             * Key
             * @description The day, or the id or name of what is summed up.
             */
            key: string;
            /** Label */
            label: string;
            /** Project Id */
            project_id: string | null;
            /** Session Slug */
            session_slug: string | null;
        };
        /** UsageModelDiffers */
        UsageModelDiffers: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Agent */
            agent: string;
            /** Requested Model */
            requested_model: string;
            /** Model */
            model: string;
        };
        /** UsageModelDiffersEvent */
        UsageModelDiffersEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage.model_differs";
            data: components["schemas"]["UsageModelDiffers"];
        };
        /** UsageOut */
        UsageOut: {
            /**
             * By
             * @enum {string}
             */
            by: "day" | "project" | "session" | "task" | "agent" | "model";
            /** Since */
            since: string | null;
            /** Until */
            until: string | null;
            totals: components["schemas"]["TotalsOut"];
            /**
             * Items
             * @description Days in order; all else by what it cost, most first.
             */
            items: components["schemas"]["UsageLine"][];
            /**
             * More
             * @description Whether there are more than `limit`.
             */
            more: boolean;
        };
        /**
         * UsageRecorded
         * @description A spawn has ended; tokens are told apart as providers bill them.
         */
        UsageRecorded: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Step Id */
            step_id: string;
            /** Attempt */
            attempt: number;
            /** Agent */
            agent: string;
            /** Role */
            role: string;
            /** Model */
            model: string;
            /** Requested Model */
            requested_model: string | null;
            /**
             * Cost Usd
             * @default 0
             */
            cost_usd: number;
            /**
             * Input Tokens
             * @default 0
             */
            input_tokens: number;
            /**
             * Output Tokens
             * @default 0
             */
            output_tokens: number;
            /**
             * Cache Read Tokens
             * @default 0
             */
            cache_read_tokens: number;
            /**
             * Cache Write Tokens
             * @default 0
             */
            cache_write_tokens: number;
            /**
             * Context Tokens
             * @default 0
             */
            context_tokens: number;
            /**
             * Context Window
             * @default 0
             */
            context_window: number;
        };
        /** UsageRecordedEvent */
        UsageRecordedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage.recorded";
            data: components["schemas"]["UsageRecorded"];
        };
        /**
         * Verdict
         * @enum {string}
         */
        Verdict: "PASS" | "NO_CHANGES" | "UNVERIFIED" | "PROPOSED";
        /** WarmPreferences */
        "WarmPreferences-Input": {
            /**
             * Processes
             * @description Agent processes kept ready at most; 0 keeps none.
             * @default 2
             */
            processes?: number;
            /**
             * Idle Minutes
             * @description When one that is not used is ended.
             * @default 5
             */
            idle_minutes?: number;
        };
        /** WarmPreferences */
        "WarmPreferences-Output": {
            /**
             * Processes
             * @description Agent processes kept ready at most; 0 keeps none.
             * @default 2
             */
            processes: number;
            /**
             * Idle Minutes
             * @description When one that is not used is ended.
             * @default 5
             */
            idle_minutes: number;
        };
        /** WayBackList */
        WayBackList: {
            /** Items */
            items: components["schemas"]["WaysOfWorkspace"][];
        };
        /** WayBackOut */
        WayBackOut: {
            /** Rollback Id */
            rollback_id: string;
            /** Task Id */
            task_id: string;
            /** Session Slug */
            session_slug: string;
            /** Session Title */
            session_title: string;
            /**
             * Prompt
             * @description Its beginning.
             */
            prompt: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Replay
             * @description Whether the task ran again afterwards.
             */
            replay: boolean;
            /** Files Changed */
            files_changed: number;
            /** Insertions */
            insertions: number;
            /** Deletions */
            deletions: number;
            /** Undone At */
            undone_at: string | null;
            /**
             * Kept
             * @description Whether what it took away is still there to be brought back.
             */
            kept: boolean;
        };
        /** WaysOfWorkspace */
        WaysOfWorkspace: {
            /** Workspace Id */
            workspace_id: string;
            /** Project Id */
            project_id: string;
            /** Project Name */
            project_name: string;
            /** Path */
            path: string;
            /** Branch */
            branch: string | null;
            /** Items */
            items: components["schemas"]["WayBackOut"][];
        };
        /**
         * Wish
         * @description What one place asks for. A model or an effort belongs to the agent named beside it.
         */
        Wish: {
            /** Agent */
            agent?: string | null;
            /** Model */
            model?: string | null;
            /** Effort */
            effort?: string | null;
        };
        /** Wishes */
        "Wishes-Input": {
            editor?: components["schemas"]["Wish"];
            scout?: components["schemas"]["Wish"];
            small?: components["schemas"]["Wish"];
        };
        /** Wishes */
        "Wishes-Output": {
            editor: components["schemas"]["Wish"];
            scout: components["schemas"]["Wish"];
            small: components["schemas"]["Wish"];
        };
        /**
         * WorkbenchCalled
         * @description `arguments` as they were validated.
         */
        WorkbenchCalled: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Attempt */
            attempt: number;
            /** Step Id */
            step_id: string;
            /** Tool */
            tool: string;
            /** Arguments */
            arguments: {
                [key: string]: unknown;
            };
        };
        /** WorkbenchCalledEvent */
        WorkbenchCalledEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "workbench.called";
            data: components["schemas"]["WorkbenchCalled"];
        };
        /** WorkspaceHeld */
        WorkspaceHeld: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Workspace Id */
            workspace_id: string;
            /** Reason */
            reason: string;
        };
        /** WorkspaceHeldEvent */
        WorkspaceHeldEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "workspace.held";
            data: components["schemas"]["WorkspaceHeld"];
        };
        /**
         * WorkspaceKind
         * @enum {string}
         */
        WorkspaceKind: "directory" | "worktree";
        /** WorkspaceOut */
        WorkspaceOut: {
            /** Id */
            id: string;
            /** Path */
            path: string;
            kind: components["schemas"]["WorkspaceKind"];
            /**
             * Branch
             * @description Of a worktree; null in the project's directory.
             */
            branch: string | null;
            /**
             * Here
             * @description Whether this server works in it; another one does where it is false.
             */
            here: boolean;
            /** Held */
            held: boolean;
            /** Held Reason */
            held_reason: string;
        };
        /** WorkspaceReleased */
        WorkspaceReleased: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /** Workspace Id */
            workspace_id: string;
        };
        /** WorkspaceReleasedEvent */
        WorkspaceReleasedEvent: {
            /** Seq */
            seq: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "workspace.released";
            data: components["schemas"]["WorkspaceReleased"];
        };
        /**
         * ErrorOut
         * @description Every refusal. `said` is how `message` was made; it and `details` are left out when there is nothing to say.
         */
        ErrorOut: {
            /** Error */
            error: string;
            /** Message */
            message: string;
            /** Next Action */
            next_action: string;
            /** @default null */
            said?: components["schemas"]["SaidOut"] | null;
            /**
             * Details
             * @default null
             */
            details?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * StreamEvent
         * @description A stored event, on the socket.
         */
        StreamEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "event";
            /** Event */
            event: components["schemas"]["ProjectAddedEvent"] | components["schemas"]["ProjectChangedEvent"] | components["schemas"]["ProjectChecksChangedEvent"] | components["schemas"]["ProjectChecksAcceptedEvent"] | components["schemas"]["SessionCreatedEvent"] | components["schemas"]["SessionChangedEvent"] | components["schemas"]["WorkspaceHeldEvent"] | components["schemas"]["WorkspaceReleasedEvent"] | components["schemas"]["TaskStartedEvent"] | components["schemas"]["TaskMilestoneEvent"] | components["schemas"]["TaskAwaitingEvent"] | components["schemas"]["TaskCompletedEvent"] | components["schemas"]["TaskFailedEvent"] | components["schemas"]["TaskCancelledEvent"] | components["schemas"]["TaskRepliedEvent"] | components["schemas"]["TaskResumedEvent"] | components["schemas"]["TaskRolledBackEvent"] | components["schemas"]["TaskRollbackUndoneEvent"] | components["schemas"]["TaskRefRestoredEvent"] | components["schemas"]["TaskCommittedEvent"] | components["schemas"]["TaskVerifiedEvent"] | components["schemas"]["TaskFindingsEvent"] | components["schemas"]["TaskDoubtAcceptedEvent"] | components["schemas"]["TaskStuckEvent"] | components["schemas"]["TaskAppliedEvent"] | components["schemas"]["TaskDiscardedEvent"] | components["schemas"]["AttemptStartedEvent"] | components["schemas"]["AttemptFinishedEvent"] | components["schemas"]["StepStartedEvent"] | components["schemas"]["StepFinishedEvent"] | components["schemas"]["StepToolStartedEvent"] | components["schemas"]["StepToolFinishedEvent"] | components["schemas"]["QuestionAskedEvent"] | components["schemas"]["QuestionAnsweredEvent"] | components["schemas"]["PermissionAskedEvent"] | components["schemas"]["PermissionDecidedEvent"] | components["schemas"]["PermissionRevokedEvent"] | components["schemas"]["SteeringQueuedEvent"] | components["schemas"]["SteeringHandedEvent"] | components["schemas"]["SteeringDeliveredEvent"] | components["schemas"]["SteeringTakenBackEvent"] | components["schemas"]["SteeringReturnedEvent"] | components["schemas"]["AgentDeniedEvent"] | components["schemas"]["AgentFreshEvent"] | components["schemas"]["GuardTimeoutEvent"] | components["schemas"]["GuardAbsentEvent"] | components["schemas"]["GuardStraysEvent"] | components["schemas"]["GuardBreakerEvent"] | components["schemas"]["GuardLimitEvent"] | components["schemas"]["GuardBudgetEvent"] | components["schemas"]["GuardDecidedEvent"] | components["schemas"]["RunnerStartedEvent"] | components["schemas"]["RunnerStoppedEvent"] | components["schemas"]["RunnerOperationStartedEvent"] | components["schemas"]["RunnerOperationFinishedEvent"] | components["schemas"]["StorageMirrorRebuiltEvent"] | components["schemas"]["StorageRestoredEvent"] | components["schemas"]["WorkbenchCalledEvent"] | components["schemas"]["UsageRecordedEvent"] | components["schemas"]["UsageModelDiffersEvent"] | components["schemas"]["ContextFilledEvent"] | components["schemas"]["ContextCompactedEvent"] | components["schemas"]["SettingsChangedEvent"];
        };
        /**
         * StreamFrame
         * @description What one message of the socket holds.
         */
        StreamFrame: (components["schemas"]["StreamEvent"] | components["schemas"]["StreamOutput"] | components["schemas"]["StreamQueue"] | components["schemas"]["StreamProgress"] | components["schemas"]["StreamUsage"] | components["schemas"]["StreamRunner"] | components["schemas"]["StreamNotification"] | components["schemas"]["StreamReady"] | components["schemas"]["StreamPing"])[];
        /**
         * StreamNotification
         * @description Something to tell a person who looks elsewhere; with `session_slug` where a click leads.
         */
        StreamNotification: {
            /**
             * Said
             * @default {}
             */
            said?: {
                [key: string]: components["schemas"]["SaidOut"];
            };
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "notification";
            /**
             * Tag
             * @description The same for the same thing: a browser with several pages shows it once.
             */
            tag: string;
            /** Title */
            title: string;
            /** Body */
            body: string;
            /**
             * Project Id
             * @default null
             */
            project_id: string | null;
            /**
             * Session Slug
             * @default null
             */
            session_slug: string | null;
        };
        /** StreamOperation */
        StreamOperation: {
            /** Operation Id */
            operation_id: string;
            kind: components["schemas"]["OperationKind"];
            phase: components["schemas"]["Phase"];
            outcome: components["schemas"]["OperationOutcome"] | null;
        };
        /**
         * StreamOutput
         * @description Text a task, or an operation on the runner, has just written. An offset beyond what a client holds means: fetch
         *     what is between.
         */
        StreamOutput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "output";
            /** Task Id */
            task_id: string;
            /** Attempt */
            attempt: number;
            /** Offset */
            offset: number;
            /** Text */
            text: string;
        };
        /** StreamPing */
        StreamPing: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ping";
        };
        /** StreamProgress */
        StreamProgress: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "progress";
            /** Task Id */
            task_id: string;
            /** Attempt */
            attempt: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "heartbeat" | "tool" | "log";
            /**
             * Tool
             * @default null
             */
            tool: string | null;
            /**
             * Detail
             * @default null
             */
            detail: string | null;
            /**
             * Age Seconds
             * @default null
             */
            age_seconds: number | null;
        };
        /**
         * StreamQueue
         * @description A queue has changed: fetch it again.
         */
        StreamQueue: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "queue";
            /** Workspace Id */
            workspace_id: string;
            /**
             * Task Id
             * @description The task that came, went or moved.
             * @default null
             */
            task_id: string | null;
            /**
             * Session Id
             * @default null
             */
            session_id: string | null;
            /**
             * Project Id
             * @default null
             */
            project_id: string | null;
        };
        /**
         * StreamReady
         * @description Everything up to `seq` has been sent; what follows is live.
         */
        StreamReady: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "ready";
            /** Seq */
            seq: number;
        };
        /**
         * StreamRunner
         * @description The runner, or an operation on it, has changed.
         */
        StreamRunner: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "runner";
            /**
             * State
             * @enum {string}
             */
            state: "running" | "stopping" | "stopped";
            /** @default null */
            operation: components["schemas"]["StreamOperation"] | null;
        };
        /**
         * StreamUsage
         * @description What a spawn that runs has used so far. Not stored; once its step is finished, the task has it.
         */
        StreamUsage: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "usage";
            /** Task Id */
            task_id: string;
            /** Attempt */
            attempt: number;
            /** Step Id */
            step_id: string;
            /** Model */
            model: string;
            /** Cost Usd */
            cost_usd: number;
            /** Input Tokens */
            input_tokens: number;
            /** Output Tokens */
            output_tokens: number;
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            /** Context Tokens */
            context_tokens: number;
            /** Context Window */
            context_window: number;
        };
        /** Subscribe */
        Subscribe: {
            /**
             * Since
             * @description The last event the client holds; may be left out when it subscribes again.
             * @default null
             */
            since?: number | null;
            /**
             * Session
             * @description Only events of this session.
             * @default null
             */
            session?: string | null;
            /**
             * Tasks
             * @description Tasks, or operations on the runner, whose output is wanted.
             * @default []
             */
            tasks?: string[];
        };
        /**
         * SubscribeFrame
         * @description What a client sends over the socket.
         */
        SubscribeFrame: {
            subscribe: components["schemas"]["Subscribe"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    make_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_state: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StateOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_agents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    check_agents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentCheckIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    dismiss_notice: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                notice_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Nothing can be kept. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthOut"];
                };
            };
        };
    };
    get_settings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    change_settings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsPatch"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_runner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerDetail"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    run_runner: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerDetail"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    stop_runner: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunnerStopIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerDetail"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    build: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BuildIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerDetail"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    restart: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerDetail"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    cancel_operation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerDetail"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_operation_output: {
        parameters: {
            query?: {
                offset?: number;
                /** @description Bytes. */
                limit?: number;
            };
            header?: never;
            path: {
                operation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationOutput"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_projects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    add_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    change_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectPatch"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_project_changes: {
        parameters: {
            query?: {
                /** @description The task whose workspace is meant. */
                task_id?: string | null;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangesOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    commit_changes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommitIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommitOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_storage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    clean_up: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CleanUpOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    prepare_agent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrepareOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_queues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    hold_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HoldIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    release_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                workspace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_commands: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandsOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    edit_commands: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommandsIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandsOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    save_commands: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommandsOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_pin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PinOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    accept_commands: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptChecksIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PinOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: {
                status?: components["schemas"]["SessionStatus"] | null;
                kind?: components["schemas"]["SessionKind"] | null;
                project_id?: string | null;
                group?: ("needs_you" | "running" | "queued" | "recent") | null;
                /** @description The archived ones instead of the others. */
                archived?: boolean;
                /** @description Words of the title or of the project's path. */
                q?: string;
                sort?: "activity" | "created";
                cursor?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionMade"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    change_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionPatch"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    send_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_tasks: {
        parameters: {
            query?: {
                cursor?: string | null;
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_session_events: {
        parameters: {
            query?: {
                since?: number;
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    archive_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    delete_session: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_output: {
        parameters: {
            query?: {
                /** @description The newest when omitted. */
                attempt?: number | null;
                offset?: number;
                /** @description Bytes. */
                limit?: number;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutputPage"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_diff: {
        parameters: {
            query?: {
                attempt?: number | null;
                step?: number | null;
                path?: string | null;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiffOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_steps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_stuck_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StuckReportOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_task_events: {
        parameters: {
            query?: {
                since?: number;
                limit?: number;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_resume_options: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeOptions"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_rollback_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_undo_preview: {
        parameters: {
            query?: {
                /** @description The newest when omitted. */
                rollback_id?: string | null;
                exact?: boolean;
            };
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    reply: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplyIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplyOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    cancel: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    resume: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResumeIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    apply: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApplyIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplyOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    discard: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DiscardIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplyOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    rollback: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RollbackIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RollbackOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    undo_rollback: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UndoIn"] | null;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RollbackOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    bring_back: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BringBackIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BringBackOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    accept_doubt: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
                doubt_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaskOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    decide: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    answer_form: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswersIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplyOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    decide_permission: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PermissionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplyOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    steer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SteerIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SteerOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    change_steering: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                task_id: string;
                message_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SteerActionIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SteerOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The present state does not allow it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_grants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    revoke_grant: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                project_id: string;
                slug: string;
                grant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OkOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_runs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_run_log: {
        parameters: {
            query?: {
                /** @description A check's number, or `combined`. */
                check?: string;
                offset?: number;
                /** @description Bytes. */
                limit?: number;
            };
            header?: never;
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunLogPage"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_ways_back: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WayBackList"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_usage: {
        parameters: {
            query?: {
                by?: "day" | "project" | "session" | "task" | "agent" | "model";
                /** @description To the quarter of an hour. */
                since?: string | null;
                /** @description To the quarter of an hour; not included. */
                until?: string | null;
                project?: string | null;
                /** @description Whose days are counted, such as Europe/Vienna. */
                zone?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_notifications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    change_notifications: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationsIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationsOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    test_notification: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key with the same body is carried out once and answered alike, for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryOut"];
                };
            };
            /** @description A field is missing, malformed or refused; `details.field` names it. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not logged in. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The Host or Origin is not one of ours. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The body or a field is over its limit. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Too many wrong tokens; wait a minute. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The server, git or an agent failed; the log says more. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The runner is stopped, or the server is going down. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
}
