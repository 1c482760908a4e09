import type { Readable, Writable } from 'node:stream'

/** A backup that was verified after it was written. */
export type StoredBackup = {
  file: string
  /** When it was started, in milliseconds since 1970. */
  at: number
  bytes: number
}

export type Storing<T> = {
  /** Writes the backup. */
  write: (to: Writable) => Promise<T>
  /** Reads back what was written. @throws if it is not a whole backup */
  verify: (from: Readable) => Promise<unknown>
  /** About how many bytes it will have. */
  expectedBytes: number
  signal: AbortSignal
}

/** Where scheduled backups are kept. Its errors are sentences for the operator. */
export type BackupPlace = {
  /** The folder, or `s3://bucket/prefix`. */
  name: string
  /** @throws unless backups can be written, read and deleted here */
  probe: () => Promise<void>
  /** @throws unless there is free space for this many bytes, where that is known */
  assertRoom: (bytes: number) => Promise<void>
  /** Removes what interrupted runs have left. */
  sweep: () => Promise<void>
  /**
   * Writes a backup under a temporary name, verifies it, and only then gives it its name. If that fails, nothing is
   * left. @returns its size
   */
  store: <T>(file: string, parts: Storing<T>) => Promise<{ done: T; bytes: number }>
  /** Backups with their names, newest first. */
  list: () => Promise<StoredBackup[]>
  read: (file: string) => Promise<Readable>
  /** Where the file is on this machine, if it is. */
  pathOf?: (file: string) => string
  remove: (file: string) => Promise<void>
}

export const PARTIAL = '.partial'

/** The name of a backup started at this time: `cairn-2026-01-31T02-00-00Z.tar`. */
export const fileNameAt = (at: number): string =>
  `cairn-${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar`

/** When a backup of this name was started; undefined for the name of another file, which is never removed. */
function startOf(file: string): number | undefined {
  const [, day, hour, minute, second] = /^cairn-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar$/.exec(file) ?? []
  const at = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? undefined : at
}

/** Whether a file of this name was left by an interrupted run. */
export const isPartial = (name: string): boolean =>
  name.endsWith(PARTIAL) && startOf(name.slice(0, -PARTIAL.length)) !== undefined

/** The backups among files, newest first. */
export const backupsAmong = (files: { file: string; bytes: number }[]): StoredBackup[] =>
  files
    .flatMap(({ file, bytes }) => {
      const at = startOf(file)
      return at === undefined ? [] : [{ file, at, bytes }]
    })
    .toSorted((a, b) => b.at - a.at)

/** Returns a function that runs work and throws `describe(error)`, a sentence for the operator, if it fails. */
export const withOperatorError =
  (describe: (error: unknown) => unknown) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw describe(error)
    }
  }
