import { Drawer } from '@mantine/core'
import { IconFileImport, IconLayoutDashboard, IconMap2, IconMenu2, IconTrophy } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { messages } from '../messages/index.ts'
import { AppSwitch } from './app-switch.tsx'
import { useCurrentApp } from './current-app.tsx'
import { NavigationLinks } from './navigation.tsx'
import classes from './shell.module.css'

const texts = messages.shell.dock

/** Which item a page belongs to; other pages are reached by the fifth. */
const ITEMS = {
  game: /^(\/console)?\/apps\/[^/]+\/(players|mini-games|sessions|boards|seasons|reviews|fences)/,
  app: /^(\/console)?\/(apps\/?$|apps\/[^/]+(\/(config|webhooks|usage|members|settings))?\/?$)/,
  map: /^(\/console)?\/map/,
  import: /^(\/console)?\/import/,
}

/** The bottom navigation on phones. The fifth item opens the full navigation. */
export function Dock() {
  const { app } = useCurrentApp()
  const [isOpen, setIsOpen] = useState(false)
  const appId = app?.id
  const item = useRouterState({
    select: ({ location }) => Object.entries(ITEMS).find(([, pages]) => pages.test(location.pathname))?.[0] ?? 'more',
  })
  const current = (name: string) => (name === item ? { 'aria-current': 'page' as const } : {})
  return (
    <>
      <nav className={classes.dock} aria-label={messages.shell.main}>
        {appId ? (
          <>
            <Link to="/apps/$appId" params={{ appId }} activeOptions={{ exact: true }} {...current('app')}>
              <IconLayoutDashboard size={20} aria-hidden /> {texts.app}
            </Link>
            <Link to="/apps/$appId/boards/$type" params={{ appId, type: 'default' }} {...current('game')}>
              <IconTrophy size={20} aria-hidden /> {texts.game}
            </Link>
          </>
        ) : (
          <>
            <Link to="/apps">
              <IconLayoutDashboard size={20} aria-hidden /> {texts.app}
            </Link>
            <Link to="/welcome/$step" params={{ step: 'app' }}>
              <IconTrophy size={20} aria-hidden /> {texts.game}
            </Link>
          </>
        )}
        <Link to="/map">
          <IconMap2 size={20} aria-hidden /> {texts.map}
        </Link>
        <Link to="/import">
          <IconFileImport size={20} aria-hidden /> {texts.import}
        </Link>
        <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(true)} {...current('more')}>
          <IconMenu2 size={20} aria-hidden /> {texts.more}
        </button>
      </nav>
      <Drawer opened={isOpen} onClose={() => setIsOpen(false)} title={messages.shell.product} size={280}>
        <nav aria-label={messages.shell.main}>
          <AppSwitch />
          <NavigationLinks onGo={() => setIsOpen(false)} />
        </nav>
      </Drawer>
    </>
  )
}
