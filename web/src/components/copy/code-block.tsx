import classes from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

/** Code with a copy button. @param copied the text to copy, if it differs from the text shown, which may mask a secret */
export function CodeBlock({ text, what, copied = text }: { text: string; what: string; copied?: string }) {
  return (
    <div className={classes.box}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section className={classes.code} tabIndex={0} aria-label={what}>
        <pre>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyButton value={copied} what={what} />
      </div>
    </div>
  )
}
