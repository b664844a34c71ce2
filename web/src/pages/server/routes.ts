import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/server',
    component: () => import('./server.vue'),
    children: [
      { path: '', component: () => import('./overview.vue') },
      { path: 'people', component: () => import('./people.vue') },
      { path: 'settings', component: () => import('./settings.vue') },
    ],
  },
]
