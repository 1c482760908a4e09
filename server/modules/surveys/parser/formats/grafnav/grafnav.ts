import type { SurveyFormat } from '../../table.ts'
import { linesOf } from '../records/lines.ts'
import { pointTable } from '../records/point-table.ts'
import { headText, openText } from '../text/open-text.ts'
import { isHeaderLine } from './header.ts'
import { stationReader } from './stations.ts'

/**
 * Text exports of NovAtel Waypoint GrafNav and GrafNet (user guide 8.10, "Export Wizard"): remarks, a header line such
 * as `Station Latitude Longitude H-Ell`, a line of units, and a line a station or epoch. Angles in `(D M S)` have three
 * fields.
 */
export const grafNav: SurveyFormat = {
  name: 'grafnav',
  detects(head) {
    const lines = headText(head).slice(0, 16_384).split(/\r?\n/)
    return lines.some((line, i) => isHeaderLine(line, lines[i + 1] ?? ''))
  },
  async read(bytes, { maxBytes, maxLines }) {
    const text = await openText(bytes, maxBytes)
    const stations = stationReader()
    return pointTable(
      'grafnav',
      {
        text,
        records: stations.read(linesOf(text.text, maxLines)),
        none: 'the file has no stations with coordinates below its header: export latitude, longitude and ellipsoidal height',
        shape: () => ({ columns: stations.columns(), systems: stations.systems() }),
      },
      stations.notices,
    )
  },
}
