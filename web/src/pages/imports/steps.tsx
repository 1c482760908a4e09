import type { CsvUpload } from '@cairn/sdk'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { messages } from '../../messages/index.ts'
import classes from './import.module.css'
import { STEPS, type Step } from './search-params.ts'

const texts = messages.imports.steps

/** The four steps of an import: the file, and three on this page. */
export function Steps({ record, step }: { record: CsvUpload; step: Step }) {
  const now = STEPS.indexOf(step)
  return (
    <nav aria-label={texts.label}>
      <ol className={classes.steps}>
        <li className={classes.past}>
          <Link to="/import" search={{ zone: record.zoneId }}>
            <Place isPast={true} n={1} />
            {texts.file}
          </Link>
        </li>
        {STEPS.map((name, i) => (
          <li key={name} className={i < now ? classes.past : i === now ? classes.now : undefined}>
            <Link
              to="/import/$uploadId"
              params={{ uploadId: record.id }}
              search={{ step: name }}
              aria-current={i === now ? 'step' : undefined}
            >
              <Place isPast={i < now} n={i + 2} />
              {texts[name]}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const Place = ({ isPast, n }: { isPast: boolean; n: number }) => (
  <span className={classes.number}>{isPast ? <IconCheck size={13} aria-hidden /> : n}</span>
)
