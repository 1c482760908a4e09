import { isSameOrigin } from '../../components/data/same-origin.ts'
import classes from './avatar.module.css'

const TONES = ['ok', 'warn', 'note', 'accent']

/** A player's image, or the initial of the name. Decorative: the name is shown beside it. */
export function Avatar({ name, imageUrl, size = 22 }: { name: string; imageUrl: string | null; size?: number }) {
  if (imageUrl !== null && isSameOrigin(imageUrl))
    return <img className={classes.face} src={imageUrl} alt="" width={size} height={size} loading="lazy" />
  const tone = TONES[[...name].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % TONES.length]!
  return (
    <span
      className={`${classes.face} ${classes[tone]}`}
      style={{ width: size, height: size, fontSize: size / 2 }}
      data-letter={[...name][0]?.toUpperCase()}
    />
  )
}
