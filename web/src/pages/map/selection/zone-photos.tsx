import type { Zone } from '@cairn/sdk'
import { messages } from '../../../messages/index.ts'
import formClasses from '../editor/editor.module.css'
import classes from '../map.module.css'
import type { Selection } from '../url-state.ts'
import { useZonePoints } from './use-zone-points.ts'

const texts = messages.map.photos
/** Photos that are listed; correcting them shows the next ones. */
const LISTED = 20

/** The photos of a zone's control points that are to be corrected, those that show another tag first. */
export function ZonePhotos({ zone, onSelect }: { zone: Zone; onSelect: (selection: Selection) => void }) {
  const points = useZonePoints(zone) ?? []
  const wrong = points
    .flatMap((gcp) => gcp.uploadedFiles.filter(({ notes }) => notes.length > 0).map((photo) => ({ gcp, photo })))
    .sort((a, b) => Number(b.photo.tagCheck === 'mismatch') - Number(a.photo.tagCheck === 'mismatch'))
  if (wrong.length === 0) return null
  return (
    <section className="stack" aria-label={texts.toCorrect(wrong.length)}>
      <h3>{texts.toCorrect(wrong.length)}</h3>
      <ul className="stack">
        {wrong.slice(0, LISTED).map(({ gcp, photo: { id, fileName, tagCheck, notes } }) => (
          <li key={`${gcp.id} ${id}`} className={tagCheck === 'mismatch' ? formClasses.refusal : 'small'}>
            <button
              type="button"
              className={classes.link}
              onClick={() => onSelect({ kind: 'gcp', id: String(gcp.id) })}
            >
              {gcp.title}
            </button>{' '}
            {texts.note(fileName, notes.join('. '))}
          </li>
        ))}
      </ul>
    </section>
  )
}
