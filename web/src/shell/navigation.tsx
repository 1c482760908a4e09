import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import cairn from '../cairn.svg'
import { messages } from '../messages/index.ts'
import { loadSettings } from '../session/console-settings.ts'
import { AppSwitch } from './app-switch.tsx'
import { useCurrentApp } from './current-app.tsx'
import { appPages, placePages } from './nav-items.ts'
import classes from './shell.module.css'
import { useAlerts } from './use-alerts.ts'
import { useBoxPages } from './use-box-pages.ts'

/** The side navigation. Pages are listed only for users with the required role. */
export function Navigation() {
  return (
    <nav className={classes.navigation} aria-label={messages.shell.main}>
      <Link to="/" className={classes.brand}>
        <img src={cairn} alt="" width={20} height={20} />
        {messages.shell.product}
      </Link>
      <AppSwitch />
      <NavigationLinks />
      <Foot />
    </nav>
  )
}

/** The navigation links, also used in the phone menu. @param onGo called when a link is followed */
export function NavigationLinks({ onGo }: { onGo?: () => void }) {
  const { app } = useCurrentApp()
  const news = useAlerts()
  const boxPages = useBoxPages()
  return (
    <>
      {app &&
        appPages.map(({ to, name, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            params={{ appId: app.id }}
            className={classes.link}
            activeOptions={{ exact: to === '/apps/$appId' }}
            onClick={onGo}
          >
            <Icon size={16} stroke={1.75} aria-hidden /> {name}
            {news[to] && <Alert {...news[to]} />}
          </Link>
        ))}
      <h2 className={classes.group}>{messages.shell.groups.places}</h2>
      {placePages.map(({ to, name, icon: Icon }) => (
        <Link key={to} to={to} className={classes.link} onClick={onGo}>
          <Icon size={16} stroke={1.75} aria-hidden /> {name}
          {news[to] && <Alert {...news[to]} />}
        </Link>
      ))}
      <h2 className={classes.group}>{messages.shell.groups.box}</h2>
      {boxPages.map(({ to, name, icon: Icon }) => (
        <Link key={to} to={to} className={classes.link} activeOptions={{ exact: true }} onClick={onGo}>
          <Icon size={16} stroke={1.75} aria-hidden /> {name}
          {news[to] && <Alert {...news[to]} />}
        </Link>
      ))}
    </>
  )
}

function Alert({ count, label }: { count: number; label: string }) {
  return (
    <span className={`${classes.count} ${classes.news}`}>
      <IconAlertTriangle size={14} aria-hidden /> {count}
      <span className="visually-hidden"> {label}</span>
    </span>
  )
}

function Foot() {
  const { data } = useQuery({ queryKey: ['settings'], queryFn: loadSettings })
  if (!data) return null
  return (
    <div className={classes.foot}>
      {new URL(data.publicUrl).host}
      <br />
      {data.version}
    </div>
  )
}
