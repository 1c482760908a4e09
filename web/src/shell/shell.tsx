import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { messages } from '../messages/index.ts'
import { useSession } from '../session/session.tsx'
import { SignIn } from '../session/sign-in.tsx'
import { CurrentAppProvider } from './current-app.tsx'
import { Dock } from './dock.tsx'
import { KeyboardShortcuts } from './keyboard/keyboard-shortcuts.tsx'
import { Navigation } from './navigation.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { LazyPalette } from './palette/lazy-palette.tsx'
import { SessionEnded } from './session-ended.tsx'
import classes from './shell.module.css'
import { TopBar } from './top-bar.tsx'

/** The layout around every page for signed-in users; otherwise the sign-in page. */
export function Shell() {
  const { signedIn } = useSession()
  if (!signedIn) return <SignIn />
  return (
    <CurrentAppProvider>
      <a className={classes.skip} href="#main">
        {messages.shell.skip}
      </a>
      <div className={classes.shell}>
        <Navigation />
        <TopBar />
        <Page />
      </div>
      <Dock />
      <LazyPalette />
      <KeyboardShortcuts />
      <SessionEnded />
    </CurrentAppProvider>
  )
}

function Page() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isFirst = useRef(true)
  // Screen readers start at the top of a new page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the path is one
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [path])
  return (
    <main id="main" tabIndex={-1} className={classes.main} ref={main}>
      <OfflineBanner />
      <Outlet />
    </main>
  )
}
