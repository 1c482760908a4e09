import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import cairn from '../../cairn.svg'
import { messages } from '../../messages/index.ts'
import { CairnPicture } from './cairn-picture.tsx'
import classes from './guide.module.css'
import type { GuideSearch, Step } from './steps.ts'

const texts = messages.welcome

/** The layout of the guide: progress and steps at the side. @param now the current step, or `done` */
export function Guide({
  steps,
  now,
  made,
  children,
}: {
  steps: Step[]
  now: Step | 'done'
  made: GuideSearch
  children: ReactNode
}) {
  const at = now === 'done' ? steps.length : steps.indexOf(now)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  // Screen readers start at the top of a new step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the step is one
  useEffect(() => {
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [now])
  return (
    <div className={classes.guide}>
      <aside className={classes.side}>
        <div className={classes.brand}>
          <img src={cairn} alt="" width={20} height={20} />
          {messages.shell.product}
        </div>
        <CairnPicture done={at} of={steps.length} />
        <ol className={classes.steps} aria-label={texts.steps}>
          {steps.map((step, n) => (
            <StepLine key={step} step={step} number={n + 1} at={at + 1} made={made} />
          ))}
        </ol>
        {now !== 'done' && (
          <p className={classes.foot}>
            {texts.leaveText}
            <br />
            <Link to="/apps">{texts.leave}</Link>
          </p>
        )}
      </aside>
      <main className={classes.main} tabIndex={-1} ref={main}>
        <div>
          {now !== 'done' && <p className="small strong dim">{texts.stepOf(at + 1, steps.length)}</p>}
          {children}
          {now !== 'done' && (
            <p className="narrow-only small faint">
              <br />
              <Link to="/apps">{texts.leave}</Link>
            </p>
          )}
        </div>
      </main>
    </div>
  )
}

function StepLine({ step, number, at, made }: { step: Step; number: number; at: number; made: GuideSearch }) {
  const { name, text } = texts.stepNames[step]
  const isDone = number < at
  const isNow = number === at
  const inner = (
    <>
      <span className={classes.number} aria-hidden>
        {isDone ? <IconCheck size={14} /> : number}
      </span>
      <span>
        <span className={classes.name}>{name}</span>
        <span className={classes.text}>{text}</span>
        {isDone && <span className="visually-hidden">{texts.done}</span>}
      </span>
    </>
  )
  return (
    <li className={isDone ? classes.done : isNow ? classes.now : undefined} aria-current={isNow ? 'step' : undefined}>
      {isDone ? (
        <Link to="/welcome/$step" params={{ step }} search={made}>
          {inner}
        </Link>
      ) : (
        <span>{inner}</span>
      )}
    </li>
  )
}
