import type { Scan } from '@cairn/sdk'
import { IconPhotoOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { When } from '../../parts/when.tsx'
import { words } from '../../words/index.ts'
import { nameOf, StatusBadge, VisibilityBadge } from './scan-badges.tsx'
import classes from './scans.module.css'

/** A scan in the gallery: its picture, name, place and time. */
export function ScanCard({ scan }: { scan: Scan }) {
  const { id, previewImageUrl, location, timestamp, status, fileType } = scan
  return (
    <li className={classes.card}>
      <Link data-row to="/scans/$scanId" params={{ scanId: id }} className={classes.link}>
        <Picture url={previewImageUrl} />
        <span className={classes.name}>{nameOf(scan)}</span>
      </Link>
      <div className={classes.said}>
        {location && <span className="cut dim">{location}</span>}
        <span className="row wrap faint small">
          <When at={timestamp} /> {fileType}
        </span>
        <span className="row wrap">
          {status !== 'COMPLETED' && <StatusBadge status={status} />}
          <VisibilityBadge scan={scan} />
        </span>
      </div>
    </li>
  )
}

/** What it shows is said by the name below it. */
function Picture({ url }: { url: string | null }) {
  return (
    <span className={classes.picture}>
      {url ? (
        <img src={url} alt="" loading="lazy" />
      ) : (
        <span className="faint small">
          <IconPhotoOff size={24} stroke={1.25} aria-hidden />
          {words.scans.noPicture}
        </span>
      )}
    </span>
  )
}
