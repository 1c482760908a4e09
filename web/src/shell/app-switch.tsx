import { Menu } from '@mantine/core'
import { IconPlus, IconSelector } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { messages } from '../messages/index.ts'
import { useCurrentApp } from './current-app.tsx'
import classes from './shell.module.css'

/** Selects the current app of the navigation. */
export function AppSwitch() {
  const { apps, app } = useCurrentApp()
  const navigate = useNavigate()
  if (!apps) return <div className={classes.switch} aria-hidden />
  if (!app)
    return (
      <Link to="/welcome/$step" params={{ step: 'app' }} className={classes.switch}>
        <IconPlus size={16} aria-hidden /> {messages.shell.newApp}
      </Link>
    )
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <button type="button" className={classes.switch} aria-label={`${messages.shell.switchApp}: ${app.name}`}>
          <span className={classes.tile} data-letter={[...app.name][0]?.toUpperCase()} />
          <span className="grow truncate strong">{app.name}</span>
          <IconSelector size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
        {apps.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => void navigate({ to: '/apps/$appId', params: { appId: id } })}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => void navigate({ to: '/welcome/$step', params: { step: 'app' } })}
        >
          {messages.shell.newApp}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
