import type { RouteLocationNormalized, RouteRecordRaw } from 'vue-router'

const props = ({ params }: RouteLocationNormalized) => ({ projectId: Number(params.id) })
const at = '/projects/:id(\\d{1,10})'

export const routes: RouteRecordRaw[] = [
  // Public projects are open to everybody.
  { path: at, component: () => import('./project-forms.vue'), props, meta: { access: 'anyone' } },
  { path: `${at}/people`, component: () => import('./people/project-people.vue'), props },
  { path: `${at}/phones`, component: () => import('./phones/project-phones.vue'), props },
  { path: `${at}/activity`, component: () => import('./activity/project-activity.vue'), props },
  { path: `${at}/settings`, component: () => import('./settings/project-settings.vue'), props },
]
