/**
 * The programs of the package: the command line, which also serves, and all that it starts as processes and threads of
 * their own (`programFile`). Paths without extension.
 */
export const PROGRAMS = [
  'server/cli',
  'server/modules/exports/process/export-process',
  'server/modules/exports/thread/export-thread',
  'server/modules/files/conversion/converter-process',
  'server/modules/scans/processing/scan-process',
  'server/modules/scoring/ranks/memory/sort-keys-thread',
  'server/modules/surveys/process/survey-process',
  'server/modules/tags/process/photo-process',
  'server/platform/database/bulk/bulk-thread',
  'server/platform/images/image-process',
]
