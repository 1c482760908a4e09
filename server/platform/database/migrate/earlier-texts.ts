/** What brings a database to what a migration says now, where it was applied with an earlier text of its own. @param text what it says now */
type Mend = (text: string) => string

const runAgain: Mend = (text) => text

/** Migrations whose text was changed before their release, by the checksum (SHA-256) of the earlier one. No other is added: a migration that was released is never edited. */
const EARLIER: Record<string, Record<string, Mend>> = {
  // What 0043 makes since then was made here.
  '0042_row_counts.sql': {
    '787657fb2abd3975cd0a758f0a5ccacdbd48c34e3f26f7e0f1a62f2ec3f0b784': () => `
      drop function note_rows(), note_rows_of_apps(), note_rows_of_endpoints(), note_rows_of_zones(), note_zone_change(),
                    note_scan(), scan_day(scans), forget_row_counts(), count_rows(text) cascade;
      alter table row_count_changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);`,
  },
  '0043_noted_rows.sql': {
    c9873ff349192b1c5f15182ffb7b4d17ca11fa3158b4c7afe0e5d8f3d66afe09: (text) =>
      text.slice(text.indexOf('create function scan_day')).replace('create', 'create or replace').split(';')[0]!,
  },
  '0047_open_sessions.sql': { '46621e97f70c59ade1d261c4a3c8a15bf1ba49cca9c433febd0836c2274b2172': runAgain },
  '0048_names_by_words.sql': {
    // An index that it has no more, of words that are parted otherwise.
    efbadf3320f3f98918d59ed20861cfa3724f95f0e4ef2de06d1c8ed50c092a9f: (text) =>
      `${text}\ndrop index concurrently if exists users_username;\n`,
    b0beed9fd8ba2bb080505457c8f863c6baae23e2ccc8c29f622354e24b337a20: runAgain,
  },
  // The column was there, the function was not.
  '0049_how_surveys_are_read.sql': {
    cc24b9a8320c737a15e922cbd1cde29277fd872b7a819b6e3a1b3e0adc01bf47: (text) =>
      text.slice(text.indexOf('create or replace function')),
  },
}

/** @returns what is left to do where a migration was applied with an earlier text; undefined where there was none with this checksum */
export const mendOf = (name: string, appliedChecksum: string, text: string): string | undefined =>
  EARLIER[name]?.[appliedChecksum]?.(text)
