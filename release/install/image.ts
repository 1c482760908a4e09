import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../package/folders.ts'
import { debianBase, folderOf, run } from './prepared.ts'

/** What a container engine reads of the image. */
export type ImageConfig = {
  User: string
  Env: string[]
  Cmd: string[]
  WorkingDir: string
  Volumes: Record<string, object>
  Healthcheck: { Test: string[] }
}

export type Image = { config: ImageConfig; root: string; remove: () => void }

/** Stand-ins for the official images: a minimal Debian, and Node with npm on it, with the registry and certificates of this machine. */
const DEBIAN = 'FROM scratch\nADD debian.tar /\n'
const NODE = `FROM localhost/debian
COPY node /usr/local/bin/
COPY npm /usr/local/lib/node_modules/npm
COPY npmrc /root/.npmrc
COPY certificates /etc/certificates
ENV NODE_EXTRA_CA_CERTS=/etc/certificates
RUN cd /usr/local/bin && ln -s ../lib/node_modules/npm/bin/npm-cli.js npm
`

/** Builds deploy/Dockerfile on the stand-ins, and mounts the root folder of a container of it. */
export function buildImage(): Image {
  const folder = folderOf('image')
  const store = ['--root', join(folder, 'images'), '--runroot', join(folder, 'state')]
  const buildah = (...words: string[]) => run('buildah', [...store, ...words], { TMPDIR: folder }).trim()
  const context = join(folder, 'context')
  mkdirSync(context)
  const build = (name: string, file: string, from: string, ...options: string[]) =>
    buildah('build', '--isolation=chroot', '--format=docker', '--pull-never', ...options, '-t', name, '-f', file, from)
  const standIn = (name: string, text: string) => {
    writeFileSync(join(context, `${name}.file`), text)
    build(`localhost/${name}`, join(context, `${name}.file`), context)
  }
  const excluded = ['dev', 'proc', 'sys'].map((name) => `--exclude=./${name}/*`)
  run('tar', ['-C', debianBase(), ...excluded, '-cf', join(context, 'debian.tar'), '.'])
  standIn('debian', DEBIAN)
  copyFileSync(process.execPath, join(context, 'node'))
  const npm = run('sh', ['-c', 'readlink -f "$(command -v npm)"']).trim()
  cpSync(join(npm, '../..'), join(context, 'npm'), { recursive: true })
  writeFileSync(join(context, 'npmrc'), `registry=${run('npm', ['config', 'get', 'registry'])}`)
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env
  writeFileSync(join(context, 'certificates'), certificates ? readFileSync(certificates) : '')
  standIn('node', NODE)
  build(
    'cairn',
    'deploy/Dockerfile',
    ROOT,
    '--ignorefile=deploy/Dockerfile.dockerignore',
    '--build-arg=BASE_IMAGE=localhost/debian',
    '--build-arg=BUILD_IMAGE=localhost/node',
    `--volume=${run('npm', ['config', 'get', 'cache']).trim()}:/root/.npm`,
  )
  const container = buildah('from', '--pull-never', 'cairn')
  return {
    config: JSON.parse(buildah('inspect', '--type=image', 'cairn')).Docker.config,
    root: buildah('mount', container),
    remove: () => buildah('rm', container),
  }
}
