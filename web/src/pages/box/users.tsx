import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Users = () => (
  <PageBody>
    <PageHead title="Users" />
  </PageBody>
)
