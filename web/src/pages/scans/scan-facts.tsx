import type { Scan } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { CopyableId, CopyButton } from '../../components/copy/copy-button.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { formatBytes, formatCoordinates, formatMetres, formatNumber } from '../../components/data/format.ts'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'
import { isUnreadable } from './scan-badges.tsx'

const texts = messages.scans.one

/** The known details of a scan. */
export function ScanFacts({ scan }: { scan: Scan }) {
  const { lat, long, bounds, triangles, points, width, height, altitude, positionFrom } = scan
  const place = lat !== null && long !== null ? formatCoordinates(lat, long) : undefined
  const [x, y, z] = bounds ? bounds.max.map((max, axis) => formatMetres(max - bounds.min[axis]!)) : []
  return (
    <>
      <Panel title={texts.facts}>
        <Facts
          facts={{
            [texts.kind]: scan.fileType ?? undefined,
            [texts.bytes]: formatBytes(scan.fileSize),
            [texts.bounds]: x && y && z ? texts.boundsOf(x, y, z) : undefined,
            [texts.triangles]: triangles === null ? undefined : formatNumber(triangles),
            [texts.points]: points === null ? undefined : formatNumber(points),
            [texts.pixels]: width && height ? texts.pixelsOf(formatNumber(width), formatNumber(height)) : undefined,
            [texts.category]: scan.category ?? undefined,
            [texts.captured]: <RelativeTime at={scan.timestamp} />,
            [texts.timeOfDay]:
              scan.timeOfDay === null ? undefined : (texts.timesOfDay[scan.timeOfDay] ?? scan.timeOfDay),
            [texts.weather]: scan.weather ?? undefined,
            [texts.file]: <span>{scan.fileName}</span>,
            [texts.id]: <CopyableId value={scan.id} />,
          }}
        />
      </Panel>
      {place && (
        <Panel
          title={texts.place}
          actions={
            <Link to="/map" search={{ lat: lat!, lon: long!, layers: 'scans', select: `scan:${scan.id}` }}>
              {texts.onMap}
            </Link>
          }
        >
          <Facts
            facts={{
              [texts.place]: scan.location ?? undefined,
              [texts.coordinates]: (
                <span className="row">
                  <code>{place}</code> <CopyButton value={place} what={texts.coordinates} />
                </span>
              ),
              [texts.altitude]: altitude === null ? undefined : formatMetres(altitude),
              [texts.positionFrom]: positionFrom ? texts.sources[positionFrom] : undefined,
            }}
          />
        </Panel>
      )}
      {scan.notes.length > 0 && !isUnreadable(scan) && (
        <Panel title={texts.notes}>
          <ul className="stack">
            {scan.notes.map((note) => (
              <li key={note} className="dim">
                {note}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
