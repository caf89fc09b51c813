/** What people see of us, compared with what is so: metrics, alerts, dashboard, events, logs. */
package dev.nodekeeper.it.see;
