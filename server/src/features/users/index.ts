export { emailKey, normalizeUsername, usernameFault } from './usernames.js'
export {
  countUsers,
  findActiveUser,
  findByEmail,
  findTaken,
  insertUser,
  type NewUser,
  namedInPath,
  type UserChanges,
  updateUser,
} from './users.queries.js'
export { userRoutes } from './users.routes.js'
