/** The tables by subject, in the order of the page. */
export const AREAS: { title: string; about: string; tables: string[] }[] = [
  {
    title: 'Users and sign-in',
    about: 'Who signs in, and how. The tables from `local_accounts` on belong to the built-in identity provider.',
    tables: [
      'users',
      'user_sessions',
      'signing_keys',
      'codes',
      'code_failures',
      'code_peaks',
      'code_lockouts',
      'local_accounts',
      'first_admin_links',
      'sign_in_tries',
      'oidc_keys',
      'oidc_records',
    ],
  },
  {
    title: 'Apps',
    about: 'An app is a tenant: it has keys, players, scores and webhooks of its own.',
    tables: ['apps', 'app_keys', 'app_members', 'app_invitations', 'app_configs', 'usage_hours', 'usage_refusals'],
  },
  {
    title: 'Games',
    about:
      'Players, sessions and scores. `app_id` is the first column of every key here. How scores are written: `0012_scores.sql`.',
    tables: [
      'players',
      'mini_game_types',
      'game_sessions',
      'session_players',
      'player_best',
      'seasons',
      'board_windows',
      'period_boards',
      'period_best',
      'player_storage',
      'rank_generation',
      'rank_processes',
    ],
  },
  {
    title: 'Files',
    about:
      'Records of files. The bytes are in the object storage, under `key`. Records refer to files by address rather than by foreign key; `0023_file_references.sql` says which.',
    tables: [
      'files',
      'conversions',
      'gcp_photos',
      'reservations',
      'resumable_uploads',
      'upload_days',
      'unused_objects',
    ],
  },
  {
    title: 'Places',
    about: 'Zones, pins and ground control points, and the survey files that points are imported from.',
    tables: ['zones', 'pins', 'gcps', 'csv_uploads', 'csv_upload_findings'],
  },
  {
    title: 'Scans',
    about: 'Captured models, point clouds and photos.',
    tables: ['scans'],
  },
  {
    title: 'Webhooks',
    about: 'Where events go, and the outbox of those that are still to be sent.',
    tables: ['webhook_endpoints', 'webhook_events', 'webhook_deliveries'],
  },
  {
    title: 'The service itself',
    about: 'What all modules use.',
    tables: [
      'audit_log',
      'idempotency_keys',
      'changes',
      'row_counts',
      'row_count_changes',
      'backup_state',
      'migrations',
      'service_versions',
    ],
  },
]
