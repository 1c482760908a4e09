import { csvOf } from './csv.ts'
import { gcpListOf } from './gcp-list.ts'
import { geojsonOf } from './geojson.ts'
import { kmlOf } from './kml.ts'
import type { ExportedGcp, ExportFormat } from './schema.ts'

type Batches = AsyncIterable<ExportedGcp[]>

/** The forms that a zone is written in: its media type, how the file's name ends, and its text. */
export const forms: Record<
  ExportFormat,
  { type: string; ending: string; write: (name: string, batches: Batches) => AsyncIterable<string> }
> = {
  csv: { type: 'text/csv; charset=utf-8', ending: '.csv', write: (_name, batches) => csvOf(batches) },
  geojson: { type: 'application/geo+json', ending: '.geojson', write: geojsonOf },
  kml: { type: 'application/vnd.google-earth.kml+xml', ending: '.kml', write: kmlOf },
  gcp_list: {
    type: 'text/plain; charset=utf-8',
    ending: ' gcp_list.txt',
    write: (_name, batches) => gcpListOf(batches),
  },
}
