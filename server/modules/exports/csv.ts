import { stringify } from 'csv-stringify/sync'
import { writtenAddresses, writtenText } from '../surveys/reading/rows/exported.ts'
import type { ExportedGcp } from './schema.ts'

type Cell = string | number | null

/** The columns of an export, which an import reads again to the letter. */
const columns: Record<string, (gcp: ExportedGcp) => Cell> = {
  title: ({ title }) => writtenText(title),
  latitude: ({ latitude }) => latitude,
  longitude: ({ longitude }) => longitude,
  h: ({ h }) => h,
  altitude: ({ altitude }) => altitude,
  heightDatum: ({ heightDatum }) => writtenText(heightDatum),
  heightOperation: ({ heightOperation }) => writtenText(heightOperation),
  heightAccuracy: ({ heightAccuracy }) => heightAccuracy,
  accuracyH: ({ accuracyH }) => accuracyH,
  accuracyV: ({ accuracyV }) => accuracyV,
  yaw: ({ yaw }) => yaw,
  pitch: ({ pitch }) => pitch,
  roll: ({ roll }) => roll,
  aprilTagId: ({ aprilTagId }) => aprilTagId,
  gcpType: ({ gcpType }) => gcpType,
  description: ({ description }) => writtenText(description),
  gcpData: ({ gcpData }) => writtenText(gcpData),
  photoUrls: ({ photoUrls }) => writtenAddresses(photoUrls),
}
const cells = Object.values(columns)

/** Points as CSV (RFC 4180) that no spreadsheet takes for formulas. */
export async function* csvOf(batches: AsyncIterable<ExportedGcp[]>): AsyncGenerator<string> {
  yield `${Object.keys(columns).join(',')}\r\n`
  for await (const gcps of batches)
    yield stringify(
      gcps.map((gcp) => cells.map((cell) => cell(gcp))),
      { quoted_string: true, record_delimiter: 'windows' },
    )
}
