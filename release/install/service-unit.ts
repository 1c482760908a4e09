import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

const UNIT = 'lib/systemd/system/cairn.service'
const PATH = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** What the command below applies beside accounts, folders and the environment: a unit that says something else needs another command. */
const APPLIED = { NoNewPrivileges: 'yes', CapabilityBoundingSet: '', ProtectSystem: 'strict', PrivateTmp: 'yes' }

/** With the system read-only but for one folder and a /tmp of its own. */
const inRoot = (folder: string) => `set -e
mount --bind "$0" "$0"
cd "$0"
mount --bind ".${folder}" ".${folder}"
mount -t tmpfs -o mode=1777 tmpfs ./tmp
mount -t tmpfs -o mode=1777 tmpfs ./var/tmp
mount -t proc proc ./proc
mount --rbind /dev ./dev
mount -o remount,bind,ro "$0"
exec chroot . "$@"`

/**
 * The command that runs the process of cairn.service in this system as systemd would: with its account, environment,
 * umask, working folder, no new privileges, no capabilities and a read-only system. The filters of system calls, address
 * families, devices and the kernel are not applied.
 */
export function unitCommand(root: string): string[] {
  const unit = readFileSync(join(root, UNIT), 'utf8')
  const of = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!
  for (const [name, value] of Object.entries(APPLIED))
    if (of(name) !== value) throw new Error(`The unit has ${name}=${of(name)}, which unitCommand does not apply`)
  const settings = parseEnv(readFileSync(join(root, of('EnvironmentFile')), 'utf8'))
  const environment = [PATH, of('Environment'), ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)]
  const account = [`--reuid=${of('User')}`, `--regid=${of('Group')}`, '--init-groups']
  return [
    ...['unshare', '--mount', 'sh', '-c', inRoot(`/var/lib/${of('StateDirectory')}`), root],
    ...['env', '--ignore-environment', ...environment],
    ...['setpriv', ...account, '--no-new-privs', '--bounding-set=-all'],
    ...['sh', '-c', 'umask "$0" && cd "$1" && shift && exec "$@"', of('UMask'), of('WorkingDirectory')],
    ...of('ExecStart').split(' '),
  ]
}
