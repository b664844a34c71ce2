-- Organizations, teams, projects, and who may do what in them. Role names are stored; permissions are derived from them
-- in features/permissions, never the reverse.

-- What an organization has beyond its account (users, is_org) and its profile.
create table organizations (
  user_id     int primary key references users on delete cascade,
  name        text not null,
  email       text not null default '',      -- a contact address; not unique, nobody signs in with it
  description text not null default '',
  address     text not null default '',
  phonenumber text not null default '',
  creator_id  int references users on delete set null
);
create index organizations__creator_id on organizations (creator_id);

-- Members and their role. The creator is an owner from the start, but is listed among the members only when added.
create table organization_members (
  org_id    int not null references users on delete cascade,
  user_id   int not null references users on delete cascade,
  role      text not null,                   -- member, or one of the roles of an organization
  is_listed boolean not null default true,
  joined_at timestamptz(3) not null,
  primary key (org_id, user_id)
);
create index organization_members__user_id on organization_members (user_id);

-- The built-in teams have no rows in team_members: Owners are the members with the role owner, `members` are all who
-- are listed. So a change of role and a change of team are one fact.
create table teams (
  id         int generated always as identity primary key,
  org_id     int not null references users on delete cascade,
  name       text not null,
  kind       text not null default 'custom', -- owners, members or custom
  created_by int references users on delete set null,
  created_at timestamptz(3) not null
);
create unique index teams__org_id_name on teams (org_id, lower(name));
create index teams__created_by on teams (created_by);

create table team_members (
  team_id   int not null references teams on delete cascade,
  user_id   int not null references users on delete cascade,
  joined_at timestamptz(3) not null,
  primary key (team_id, user_id)
);
create index team_members__user_id on team_members (user_id);

create table projects (
  id          int generated always as identity primary key,
  name        text not null,
  name_key    text not null,                 -- the name as it is compared: in lower case
  owner_id    int not null references users on delete cascade,
  created_by  int references users on delete set null,
  is_public   boolean not null default false,
  metadata    jsonb not null default '{}',
  created_at  timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  deleted_at  timestamptz(3),                -- a deleted project is hidden and its name is free
  deleted_by  int references users on delete set null
);
-- A deleted project frees its name.
create unique index projects__owner_id_name on projects (owner_id, name_key) where deleted_at is null;
create index projects__owner_id on projects (owner_id);
create index projects__created_by on projects (created_by);
create index projects__deleted_by on projects (deleted_by);
-- Anonymous callers list what is public, newest first.
create index projects__public on projects (created_at desc, id desc) where is_public and deleted_at is null;

-- One direct role per person and project.
create table project_roles (
  project_id int not null references projects on delete cascade,
  user_id    int not null references users on delete cascade,
  role       text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, user_id)
);
create index project_roles__user_id on project_roles (user_id);

-- The role that every present and future member of a team has on a project.
create table team_project_roles (
  team_id    int not null references teams on delete cascade,
  project_id int not null references projects on delete cascade,
  role       text not null,
  primary key (team_id, project_id)
);
create index team_project_roles__project_id on team_project_roles (project_id);

-- A star is one user's bookmark on one project. The pair is the key, so starring twice is a no-op.
create table project_stars (
  project_id int not null references projects on delete cascade,
  user_id    int not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (project_id, user_id)
);
create index project_stars__user_id on project_stars (user_id);

create table project_tags (
  project_id int not null references projects on delete cascade,
  tag        text not null,
  tag_key    text not null,                  -- as it is compared: in lower case
  created_at timestamptz(3) not null,
  primary key (project_id, tag_key)
);

create table project_invitations (
  id          int generated always as identity primary key,
  project_id  int not null references projects on delete cascade,
  email       text not null,
  email_key   text not null,                 -- as it is compared: trimmed and in lower case
  role        text not null,
  status      int not null default 1,        -- 1 pending, 2 accepted, 3 revoked
  invited_by  int references users on delete set null,
  accepted_by int references users on delete set null,
  created_at  timestamptz(3) not null,
  accepted_at timestamptz(3),
  resent_at   timestamptz(3),
  revoked_at  timestamptz(3)
);
create index project_invitations__project_id on project_invitations (project_id, id);
-- One pending invitation per address and project; also how a registration finds what waits for it.
create unique index project_invitations__pending on project_invitations (email_key, project_id) where status = 1;
create index project_invitations__invited_by on project_invitations (invited_by);
create index project_invitations__accepted_by on project_invitations (accepted_by);

-- Who is in a team: the built-in teams by role, the others by their rows.
create view team_memberships as
  select teams.id as team_id, members.user_id, members.joined_at
  from teams
  join organization_members members on members.org_id = teams.org_id
  where (teams.kind = 'owners' and members.role = 'owner') or (teams.kind = 'members' and members.is_listed)
  union all
  select team_id, user_id, joined_at from team_members;

-- Every reason why somebody has a role on a project: one row per reason. The union of them is what the person may do.
-- `through` names the team or the organization. A team's role counts only where its organization owns the project.
create view project_grants as
  select projects.id as project_id, projects.owner_id as user_id, 'owner'::text as role, 'owner' as source,
    null::text as through
  from projects where projects.deleted_at is null
  union all
  select project_id, user_id, role, 'direct', null from project_roles
  union all
  select projects.id, members.user_id, 'owner', 'organization', owners.username
  from organization_members members
  join projects on projects.owner_id = members.org_id
  join users owners on owners.id = members.org_id
  where members.role = 'owner' and projects.deleted_at is null
  union all
  select roles.project_id, memberships.user_id, roles.role, 'team', teams.name
  from team_memberships memberships
  join team_project_roles roles on roles.team_id = memberships.team_id
  join teams on teams.id = memberships.team_id
  join projects on projects.id = roles.project_id and projects.owner_id = teams.org_id;
