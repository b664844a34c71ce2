import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  { path: '/reset', component: () => import('./reset.vue'), meta: { access: 'anyone' } },
]
