-- Prepares a PostgreSQL database (10 or newer) for Tributary with the least privileges. Run it in the database that is
-- captured, as the owner of the tables or a superuser. Change the names: role, password, schema, tables.
-- The server needs wal_level = logical (a restart), and a free replication slot and WAL sender:
--   ALTER SYSTEM SET wal_level = 'logical';
-- Bound what an unread slot may keep, so that a forgotten slot can't fill the disk:
--   ALTER SYSTEM SET max_slot_wal_keep_size = '50GB';

-- REPLICATION lets it read a slot; it may write nothing.
CREATE ROLE tributary LOGIN REPLICATION PASSWORD 'change-me';

-- Reading the rows that are already there, and the catalog of the tables.
GRANT USAGE ON SCHEMA shop TO tributary;
GRANT SELECT ON shop.orders, shop.items TO tributary;

-- Exactly the captured tables. Whoever owns them makes the publication, so that the role needn't own anything.
CREATE PUBLICATION tributary_shop FOR TABLE shop.orders, shop.items;

-- Tables without a primary key: once published, PostgreSQL refuses UPDATE and DELETE on them until they say what
-- identifies a row. Whole rows cost WAL; a unique index of NOT NULL columns is cheaper.
--   ALTER TABLE shop.events REPLICA IDENTITY FULL;
--   ALTER TABLE shop.events REPLICA IDENTITY USING INDEX events_key;
