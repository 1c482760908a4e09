import type { Scan } from '@cairn/sdk'
import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../../components/data/relative-time.tsx'
import { isUnreadable, nameOf, StatusBadge, VisibilityBadge } from './scan-badges.tsx'
import { ScanPicture } from './scan-picture.tsx'
import classes from './scans.module.css'

/** A scan in the gallery. */
export function ScanCard({ scan }: { scan: Scan }) {
  const { id, previewImageUrl, location, timestamp, status, fileType } = scan
  return (
    <li className={classes.card}>
      <Link data-row to="/scans/$scanId" params={{ scanId: id }} className={classes.link}>
        <ScanPicture url={previewImageUrl} />
        <span className={classes.name}>{nameOf(scan)}</span>
      </Link>
      <div className={classes.said}>
        {location && <span className="truncate dim">{location}</span>}
        <span className="row wrap faint small">
          <RelativeTime at={timestamp} /> {fileType}
        </span>
        <span className="row wrap">
          {(status !== 'COMPLETED' || isUnreadable(scan)) && <StatusBadge scan={scan} />}
          <VisibilityBadge scan={scan} />
        </span>
      </div>
    </li>
  )
}
