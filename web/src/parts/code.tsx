import classes from './code.module.css'
import { CopyButton } from './copy-button.tsx'

/** A text to copy, such as a call of the API. */
export function Code({ text, what }: { text: string; what: string }) {
  return (
    <div className={classes.box}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.code} tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyButton value={text} what={what} />
      </div>
    </div>
  )
}
