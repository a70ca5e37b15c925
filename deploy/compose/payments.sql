CREATE SCHEMA bank;

CREATE TABLE bank.customers (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name       text NOT NULL,
  email      text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE bank.accounts (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES bank.customers,
  currency    char(3) NOT NULL,
  balance     numeric(18,2) NOT NULL DEFAULT 0,
  opened_on   date NOT NULL DEFAULT current_date
);
CREATE TABLE bank.payments (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES bank.accounts,
  amount     numeric(18,2) NOT NULL,
  status     text NOT NULL DEFAULT 'pending',
  details    jsonb,
  paid_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);

INSERT INTO bank.customers (name, email)
  SELECT 'Customer ' || n, 'c' || n || '@example.com' FROM generate_series(1, 500) n;
INSERT INTO bank.accounts (customer_id, currency, balance)
  SELECT n, (ARRAY['EUR', 'CHF', 'GBP'])[1 + n % 3], 1000 FROM generate_series(1, 500) n;
INSERT INTO bank.payments (account_id, amount, status, details)
  SELECT 1 + n % 500, round((n % 997) / 7.0, 2), 'settled', jsonb_build_object('channel', 'card', 'n', n)
  FROM generate_series(1, 5000) n;

CREATE ROLE tributary LOGIN REPLICATION PASSWORD 'tributary';
GRANT USAGE ON SCHEMA bank TO tributary;
GRANT SELECT ON ALL TABLES IN SCHEMA bank TO tributary;
CREATE PUBLICATION tributary_bank FOR TABLE bank.customers, bank.accounts, bank.payments;
