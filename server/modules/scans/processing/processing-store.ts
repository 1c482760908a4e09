import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { AnyTables } from '../../../platform/database/database.ts'
import type { ScanBounds } from '../schema.ts'

type Within = Kysely<AnyTables>

/** One run of the processing of a scan. Its result is discarded if a later run has started. */
export type Run = { run: string; attempts: number }

/** The result of a run. */
export type Findings = {
  fileType: string
  bounds: ScanBounds | null
  triangles: number | null
  points: number | null
  width: number | null
  height: number | null
  notes: string[]
  previewKey: string | null
  lat: number | null
  long: number | null
  altitude: number | null
  positionFrom: 'caller' | 'exif' | 'georeference' | null
  timestamp: string
  capturedFrom: 'caller' | 'file' | 'upload'
  location: string | null
  timeOfDay: string | null
  weather: string | null
}

const now = sql`clock_timestamp()`

export type ProcessingStore = ReturnType<typeof processingStore>

/** The state of processing, in SQL. */
export function processingStore(db: Within) {
  return {
    /** @returns undefined if there is nothing to do: the scan has ended or is deleted. */
    async begin(id: string): Promise<Run | undefined> {
      const { rows } = await sql<Run>`
        update scans set status = 'PROCESSING', attempts = attempts + 1, run = ${randomUUID()}, touched_at = ${now},
               updated_at = case status when 'PENDING' then ${now} else updated_at end
         where id = ${id} and status in ('PENDING', 'PROCESSING') returning run, attempts`.execute(db)
      return rows[0]
    },

    /** Does not count a run that failed for a reason outside the file. */
    async uncount(trx: Within, id: string, { run }: Run): Promise<void> {
      await sql`
        update scans set status = 'PENDING', attempts = greatest(attempts - 1, 0), run = null, touched_at = ${now}
         where id = ${id} and run = ${run} and status = 'PROCESSING'`.execute(trx)
    },

    /** Whether this is still the current run; locks the scan until the transaction ends. */
    async hold(trx: Within, id: string, { run }: Run): Promise<boolean> {
      const { rows } = await sql`
        select from scans where id = ${id} and run = ${run} and status = 'PROCESSING' for update`.execute(trx)
      return rows.length > 0
    },

    async complete(trx: Within, id: string, found: Findings): Promise<void> {
      await sql`
        update scans set status = 'COMPLETED', run = null, error_code = null, error = null, file_type = ${found.fileType},
               bounds = ${found.bounds && JSON.stringify(found.bounds)}::jsonb, triangles = ${found.triangles},
               points = ${found.points}, width = ${found.width}, height = ${found.height}, notes = ${found.notes}::text[],
               preview_key = ${found.previewKey}, lat = ${found.lat}, long = ${found.long}, altitude = ${found.altitude},
               position_from = ${found.positionFrom}, captured_at = ${found.timestamp}, captured_from = ${found.capturedFrom},
               location = ${found.location}, time_of_day = ${found.timeOfDay}, weather = ${found.weather},
               touched_at = ${now}, updated_at = ${now}
         where id = ${id}`.execute(trx)
    },

    async fail(trx: Within, id: string, { code, error }: { code: string; error: string }): Promise<void> {
      await sql`
        update scans set status = 'FAILED', run = null, error_code = ${code}, error = ${error}, touched_at = ${now}, updated_at = ${now}
         where id = ${id}`.execute(trx)
    },

    /** Stores the weather, unless the place or time of the scan has since changed. */
    async tellWeather(
      id: string,
      { lat, long, timestamp }: { lat: number; long: number; timestamp: string },
      { weather, note }: { weather: string | null; note?: string | undefined },
    ): Promise<void> {
      await sql`
        update scans set weather = ${weather}, updated_at = ${now},
               notes = case when ${note ?? null}::text is null or ${note ?? null} = any(notes) then notes else notes || ${note ?? null}::text end
         where id = ${id} and lat = ${lat} and long = ${long} and captured_at = ${timestamp}`.execute(db)
    },
  }
}
