import type { ReactNode } from 'react'
import cairn from '../cairn.svg'
import { messages } from '../messages/index.ts'
import classes from './sign-in.module.css'

/** The page for signed-out users. */
export function SignInCard({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className="row strong">
          <img src={cairn} alt="" width={24} height={24} />
          {messages.shell.product}
        </div>
        <h1>{title}</h1>
        {text && <p className="dim">{text}</p>}
        {children}
      </div>
    </main>
  )
}
