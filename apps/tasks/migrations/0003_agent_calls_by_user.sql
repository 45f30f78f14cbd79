-- Who made a call. Rows of earlier versions do not say it. Not a foreign key: the trail outlives its users.
ALTER TABLE agent_calls ADD COLUMN user_id text;
