/** A part of a user's export: the user's rows of a table. */
export type ExportPart = {
  /** Its file in the ZIP. */
  file: string
  /** Its description in the README. */
  says: string
  table: string
  /** Columns that name the user; a row matches if any of them does. */
  columns: string[]
  /** Query to use instead of the table, with the same columns and more. `$1` is the user's ID. */
  rows?: string
  /** Sort key of the rows: unique and immutable. */
  key: string[]
  /** Columns to leave out: internal ones and secrets. */
  without?: string[]
}

/**
 * All data held on a user. A test checks that each column that refers to `users` is in one of these parts, and is
 * deleted or cleared on erasure.
 */
export const EXPORT_PARTS: ExportPart[] = [
  {
    file: 'profile.json',
    says: 'your profile: names, addresses, roles, and the identity provider they come from',
    table: 'users',
    columns: ['id'],
    key: ['id'],
    without: ['username_key'],
  },
  {
    file: 'account.json',
    says: 'your account, if you sign in with a password; without the password, which is not stored',
    table: 'local_accounts',
    columns: ['user_id'],
    key: ['user_id'],
    without: ['password_hash', 'login_key'],
  },
  {
    ...{ file: 'account-links.json', table: 'account_links', columns: ['made_by'], key: ['user_id'] },
    ...{ says: 'the unused links to set a password that you made, without their codes', without: ['hash'] },
  },
  { file: 'sign-ins.json', says: 'when you signed in', table: 'user_sessions', columns: ['user_id'], key: ['id'] },
  {
    file: 'personal-tokens.json',
    says: 'the personal tokens with which programs act for you, without the tokens themselves',
    table: 'personal_tokens',
    columns: ['user_id'],
    key: ['id'],
    without: ['hash'],
  },
  {
    file: 'shared-maps.json',
    says: 'the maps that you share',
    table: 'shared_maps',
    columns: ['user_id'],
    key: ['id'],
  },
  {
    file: 'apps.json',
    says: 'your apps, without their keys',
    table: 'apps',
    columns: ['owner_id'],
    key: ['id'],
    without: ['deleted_at'],
  },
  {
    file: 'memberships.json',
    says: 'the apps that you are a member of, with your role',
    table: 'app_members',
    columns: ['user_id'],
    key: ['app_id', 'user_id'],
  },
  {
    file: 'invitations.json',
    says: 'your invitations to apps that are pending, without their tokens',
    table: 'app_invitations',
    columns: ['invited_by'],
    key: ['id'],
    without: ['hash'],
  },
  {
    file: 'players.json',
    says: 'the players of games that are linked to you',
    table: 'players',
    columns: ['user_id'],
    rows: `select p.*, a.name as app_name, x.attributes from players p join apps a on a.id = p.app_id
             left join player_attributes x on x.app_id = p.app_id and x.player_id = p.id where a.deleted_at is null`,
    key: ['app_id', 'id'],
    without: ['name_key', 'image_key'],
  },
  {
    file: 'scores.json',
    says: 'the scores of those players, by session',
    table: 'session_players',
    columns: ['user_id'],
    rows: `select s.*, p.user_id, p.display_name, g.name as session_name, t.name as mini_game_type_name
             from session_players s join players p on p.app_id = s.app_id and p.id = s.player_id
             join game_sessions g on g.app_id = s.app_id and g.id = s.session_id
             left join mini_game_types t on t.app_id = s.app_id and t.id = s.type_key`,
    key: ['app_id', 'player_id', 'session_id'],
    without: ['user_id', 'type_key'],
  },
  {
    file: 'past-scores.json',
    says: 'scores of those players that were replaced or removed',
    table: 'score_history',
    columns: ['user_id'],
    rows: `select h.*, p.user_id, p.display_name, t.name as mini_game_type_name
             from score_history h join players p on p.app_id = h.app_id and p.id = h.player_id
             left join mini_game_types t on t.app_id = h.app_id and t.id = h.type_key`,
    key: ['app_id', 'player_id', 'written_at', 'session_id'],
    without: ['user_id', 'type_key'],
  },
  {
    file: 'season-scores.json',
    says: 'the scores of those players that count in seasons',
    table: 'period_best',
    columns: ['user_id'],
    rows: `select b.*, p.user_id, p.display_name, s.name as season_name, s.ends_at as season_ends_at
             from period_best b join seasons s on s.app_id = b.app_id and s.id = b.board_key
             join players p on p.app_id = b.app_id and p.id = b.player_id where b.score is not null`,
    key: ['app_id', 'player_id', 'board_key'],
    without: ['user_id', 'rank_key', 'version'],
  },
  {
    file: 'held-scores.json',
    says: 'scores of those players that were held for a review, and the decisions',
    table: 'held_scores',
    columns: ['user_id'],
    rows: `select h.*, p.user_id, p.display_name, t.name as mini_game_type_name
             from held_scores h join players p on p.app_id = h.app_id and p.id = h.player_id
             left join mini_game_types t on t.app_id = h.app_id and t.id = h.type_key`,
    key: ['app_id', 'player_id', 'created_at', 'id'],
    without: ['user_id', 'type_key'],
  },
  {
    file: 'player-data.json',
    says: 'what games keep for those players',
    table: 'player_storage',
    columns: ['user_id'],
    rows: `select s.*, p.user_id, p.display_name from player_storage s
             join players p on p.app_id = s.app_id and p.id = s.player_id`,
    key: ['app_id', 'player_id', 'key'],
    without: ['user_id', 'etag'],
  },
  {
    file: 'positions.json',
    says: 'the last positions of those players, which are kept for minutes',
    table: 'player_positions',
    columns: ['user_id'],
    rows: `select y.*, p.user_id, p.display_name from player_positions y
             join players p on p.app_id = y.app_id and p.id = y.player_id`,
    key: ['app_id', 'player_id'],
    without: ['user_id', 'version'],
  },
  {
    file: 'check-ins.json',
    says: 'where those players have checked in',
    table: 'check_ins',
    columns: ['user_id'],
    rows: `select c.*, p.user_id, p.display_name, f.name as fence_name, v.gcp_ids as proof_gcp_ids,
                  v.accuracy as proof_accuracy, v.tag_ids as proof_tag_ids, v.corners as proof_corners
             from check_ins c
             join players p on p.app_id = c.app_id and p.id = c.player_id
             join fences f on f.app_id = c.app_id and f.id = c.fence_id
             left join check_in_proofs v on v.app_id = c.app_id and v.check_in_id = c.id`,
    key: ['app_id', 'player_id', 'created_at', 'id'],
    without: ['user_id', 'mark', 'type_key'],
  },
  {
    file: 'alert-addresses.json',
    says: 'your apps whose alerts are mailed to your address',
    table: 'alert_settings',
    columns: ['user_id'],
    rows: `select s.app_id, s.updated_at, u.id as user_id, u.email, a.name as app_name from alert_settings s
             join app_members m on m.app_id = s.app_id join users u on u.id = m.user_id
              and lower(u.email) = any (lower(s.addresses::text)::text[]) join apps a on a.id = s.app_id`,
    key: ['app_id'],
    without: ['user_id'],
  },
  {
    file: 'app-configs.json',
    says: 'the configurations of apps that you wrote',
    table: 'app_configs',
    columns: ['user_id'],
    key: ['app_id', 'version'],
    without: ['key_id'],
  },
  {
    file: 'codes.json',
    says: 'the six-digit codes you created in the last days, without their digits',
    table: 'codes',
    columns: ['user_id'],
    key: ['id'],
    without: ['digest'],
  },
  { file: 'pins.json', says: 'your pins', table: 'pins', columns: ['user_id'], key: ['id'], without: ['place'] },
  {
    file: 'zone-editors.json',
    says: 'the zones of others that you are an editor of',
    table: 'zone_editors',
    columns: ['user_id'],
    key: ['zone_id'],
    without: [],
  },
  {
    file: 'zones.json',
    says: 'your zones',
    table: 'zones',
    columns: ['user_id'],
    key: ['id'],
    without: ['outline', 'outline_at', 'positions'],
  },
  {
    file: 'gcps.json',
    says: 'your ground control points',
    table: 'gcps',
    columns: ['user_id'],
    key: ['id'],
    without: ['title_key'],
  },
  {
    file: 'csv-uploads.json',
    says: 'the survey files you imported',
    table: 'csv_uploads',
    columns: ['user_id'],
    key: ['id'],
    without: ['object_key'],
  },
  {
    file: 'files.json',
    says: 'the files you uploaded; their bytes are in the folder "files", by ID',
    table: 'files',
    columns: ['user_id'],
    key: ['id'],
    without: ['key'],
  },
  {
    file: 'photo-checks.json',
    says: 'what your photos of ground control points and relocalization photos show: AprilTags, and where and when the camera says it was',
    table: 'photo_checks',
    columns: ['user_id'],
    rows: 'select c.*, f.user_id, f.file_name from photo_checks c join files f on f.id = c.file_id',
    key: ['file_id'],
    without: ['user_id', 'run', 'attempts'],
  },
  {
    file: 'photo-corners.json',
    says: 'the corners of AprilTags that you placed by hand in photos of ground control points',
    table: 'gcp_photo_corners',
    columns: ['user_id'],
    key: ['gcp_id', 'file_id'],
  },
  {
    file: 'scans.json',
    says: 'your scans and their metadata; their files are among those you uploaded',
    table: 'scans',
    columns: ['user_id'],
    key: ['id'],
    without: ['run', 'preview_key', 'touched_at', 'error_code'],
  },
  {
    file: 'announced-files.json',
    says: 'files that you announced but have not sent yet',
    table: 'reservations',
    columns: ['user_id'],
    key: ['id'],
    without: ['key'],
  },
  {
    file: 'unfinished-uploads.json',
    says: 'uploads that are unfinished, or ended in the last hours',
    table: 'resumable_uploads',
    columns: ['user_id'],
    key: ['id'],
    without: ['key'],
  },
  {
    file: 'webhooks.json',
    says: 'webhook events about you and your records, sent to apps or pending',
    table: 'webhook_deliveries',
    columns: ['user_id'],
    rows: `select d.seq, d.app_id, d.id, d.type, d.subject, d.user_id, d.status, d.created_at, d.tried, d.failures,
                  coalesce(d.data, e.data) as data
             from webhook_deliveries d left join webhook_events e on e.id = d.id`,
    key: ['seq'],
    // The endpoint and the attempts belong to the app.
    without: ['seq'],
  },
  {
    file: 'audit-log.json',
    says: 'the audit log of what you did, and of what others did with your account',
    table: 'audit_log',
    columns: ['actor', 'subject'],
    // Another person's address is that person's data.
    rows: 'select id, at, actor, action, subject, case when actor = $1 then address end as address, app_id as "appId", changes from audit_log',
    key: ['id'],
  },
]
