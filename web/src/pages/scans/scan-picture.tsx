import { IconPhotoOff } from '@tabler/icons-react'
import { messages } from '../../messages/index.ts'
import classes from './scans.module.css'

/** The preview of a scan. Decorative: its name is shown beside it. */
export function ScanPicture({ url, isSmall }: { url: string | null; isSmall?: boolean }) {
  return (
    <span className={classes.picture}>
      {url ? (
        <img src={url} alt="" loading="lazy" />
      ) : (
        <span className="faint small">
          <IconPhotoOff size={isSmall ? 16 : 24} stroke={1.25} aria-hidden />
          {!isSmall && messages.scans.noPicture}
        </span>
      )}
    </span>
  )
}
